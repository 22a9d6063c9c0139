// Pearson's coefficient; not a number where one side never changes or there are too few values to say anything.
const kLeast = 5;

export function correlation(pairs: [number, number][]): number {
  if (pairs.length < kLeast) return NaN;
  const mean = (side: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[side], 0) / pairs.length;
  const [a, b] = [mean(0), mean(1)];
  let [both, first, second] = [0, 0, 0];
  for (const [x, y] of pairs) {
    both += (x - a) * (y - b);
    first += (x - a) ** 2;
    second += (y - b) ** 2;
  }
  return first > 0 && second > 0 ? both / Math.sqrt(first * second) : NaN;
}
