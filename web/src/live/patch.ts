// Replaces what was there by what was drawn anew, but touches only what differs: a menu that is open stays open, a
// selection of text stays, a list stays where it was scrolled to.

// Pixels are not in the document: what has any is never the same.
function isSame(old: Element, fresh: Element): boolean {
  return old.isEqualNode(fresh) && !fresh.querySelector("canvas");
}

const kContainers = new Set(["SECTION", "HEADER", "NAV", "UL"]);
const kClasses = ["duo", "chart-box", "title"];

function isContainer(old: Element, fresh: Element): boolean {
  if (old.tagName !== fresh.tagName || old.id !== fresh.id || old.className !== fresh.className) return false;
  return kContainers.has(old.tagName) || old.id === "view" || kClasses.some((name) => old.classList.contains(name));
}

// What a person has unfolded stays so.
function keepOpen(old: Element, fresh: Element): void {
  const after = fresh.querySelectorAll("details");
  old.querySelectorAll("details").forEach((one, index) => {
    const other = after[index];
    if (other && one.open) other.open = true;
  });
}

function keepScroll(old: Element, fresh: Element): void {
  const before = old.querySelectorAll(".scroll");
  const after = fresh.querySelectorAll(".scroll");
  before.forEach((one, index) => {
    const other = after[index];
    if (other) [other.scrollLeft, other.scrollTop] = [one.scrollLeft, one.scrollTop];
  });
  if (old.classList.contains("scroll")) [fresh.scrollLeft, fresh.scrollTop] = [old.scrollLeft, old.scrollTop];
}

export function patch(parent: Element, children: (Element | null)[]): void {
  const wanted = children.filter((child): child is Element => child !== null);
  wanted.forEach((fresh, index) => {
    const old = parent.children[index];
    if (!old) return parent.append(fresh);
    keepOpen(old, fresh);
    if (isSame(old, fresh)) return;
    if (isContainer(old, fresh) && old.childNodes.length === old.children.length) patch(old, [...fresh.children]);
    else {
      old.replaceWith(fresh);
      keepScroll(old, fresh);
    }
  });
  while (parent.children.length > wanted.length) parent.lastElementChild?.remove();
}

// Tells what is now under the pointer that it is there, as if it had moved.
export function hoverAgain(at: { x: number; y: number } | null): void {
  if (!at) return;
  const target = document.elementFromPoint(at.x, at.y);
  const picture = target?.closest("svg.chart, canvas.heat");
  picture?.dispatchEvent(new PointerEvent("pointermove", { clientX: at.x, clientY: at.y, bubbles: true }));
}
