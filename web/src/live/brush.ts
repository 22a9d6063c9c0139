// Dragging across a picture chooses a part of its width.
import { svg } from "../dom";

export interface Area {
  wide: number; // of the picture, in its own units
  left: number; // where the axis begins
  tall: number;
}

// `choose` gets the ends as shares of the axis.
export function brush(drawing: SVGSVGElement, area: Area, choose: (from: number, to: number) => void): void {
  const { wide, left, tall } = area;
  const box = svg("rect", { class: "brush", y: 0, height: tall, width: 0, x: 0 });
  drawing.append(box);
  let begun: number | null = null;
  const across = (event: PointerEvent): number => {
    const frame = drawing.getBoundingClientRect();
    return Math.max(0, Math.min(1, (((event.clientX - frame.left) / Math.max(1, frame.width)) * wide - left) / (wide - left)));
  };
  drawing.addEventListener("pointerdown", (event) => {
    begun = across(event);
    drawing.setPointerCapture(event.pointerId);
  });
  drawing.addEventListener("pointermove", (event) => {
    if (begun === null) return;
    box.setAttribute("x", String(left + Math.min(begun, across(event)) * (wide - left)));
    box.setAttribute("width", String(Math.abs(across(event) - begun) * (wide - left)));
  });
  drawing.addEventListener("pointerup", (event) => {
    const share = across(event);
    if (begun !== null && Math.abs(share - begun) > 0.005) choose(Math.min(begun, share), Math.max(begun, share));
    begun = null;
    box.setAttribute("width", "0");
  });
}
