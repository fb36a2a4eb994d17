/** CPU numbers of a hypervisor. */
export type CpuSet = ReadonlySet<number>

/** Parses a list of CPUs, such as `0-3,8`. Returns undefined if the text is not such a list. */
export const parseCpuSet = (text: string): CpuSet | undefined => {
  const cpus = new Set<number>()
  for (const part of text.split(/[,;]/)) {
    const [, first, last = first] = /^\s*(\d{1,5})(?:-(\d{1,5}))?\s*$/.exec(part) ?? []
    if (first === undefined || Number(last) < Number(first)) return undefined
    for (let cpu = Number(first); cpu <= Number(last); cpu++) cpus.add(cpu)
  }
  return cpus
}

/** Returns the CPUs in ascending order, with ranges, such as `0-3,8`. */
export const formatCpuSet = (cpus: Iterable<number>): string => {
  const ranges: [first: number, last: number][] = []
  for (const cpu of [...cpus].toSorted((a, b) => a - b)) {
    const range = ranges.at(-1)
    if (range !== undefined && cpu === range[1] + 1) range[1] = cpu
    else ranges.push([cpu, cpu])
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',')
}
