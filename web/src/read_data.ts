// How the page comes by its data; data.ts says what that holds.
import { Data, kSchema } from "./data";

// The text of the document, as it is offered for download. page.cpp puts "-->" behind it.
export function dataText(): string {
  const text = document.getElementById("trikal-data")?.textContent ?? "";
  return text.replace(/\s*-->\s*$/, "");
}

export function readData(text: string): Data {
  // A reviver makes reading several times slower, so it is used only where there may be something to revive.
  const revive = /[:,[]\s*null/.test(text) ? (_key: string, value: unknown) => (value === null ? 0 : value) : undefined;
  const data = JSON.parse(text, revive) as Data;
  if (data.schema !== kSchema) throw new Error(`the data is "${data.schema}", this page reads "${kSchema}"`);
  return data;
}
