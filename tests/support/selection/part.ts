/**
 * Splits the test files into parts of about the same duration and returns one part. Assigns the longest files first, each to the part with
 * the shortest duration so far. The result is the same on every machine.
 * @param part for example `2/4`, the second of four parts
 * @throws Error if `part` has any other form
 */
export const takePart = (
  part: string,
  files: readonly string[],
  seconds: (file: string) => number,
): { readonly files: readonly string[]; readonly text: string } => {
  const [, which = '', of = ''] = /^(\d+)\/(\d+)$/.exec(part) ?? []
  const index = Number(which) - 1
  const count = Number(of)
  if (which === '' || index < 0 || index >= count)
    throw new Error(`--part is "${part}": write it as K/N, for example 2/4 for the second of four parts`)
  const parts = Array.from({ length: count }, () => ({ total: 0, files: [] as string[] }))
  for (const file of files.toSorted((a, b) => seconds(b) - seconds(a) || (a < b ? -1 : 1))) {
    const shortest = parts.reduce((best, each) => (each.total < best.total ? each : best))
    shortest.files.push(file)
    shortest.total += seconds(file)
  }
  const chosen = parts[index]?.files ?? []
  return { files: chosen.toSorted(), text: `part ${part}: ${chosen.length} of ${files.length} test files\n` }
}
