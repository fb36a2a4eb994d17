import type { ProviderSource } from '../groups/provider-sources.ts'

/** Returns a valid NodePool name for a group: the group's name, without the prefixes and suffixes that the cloud adds. */
const poolName = (group: string, sources: readonly ProviderSource[]): string => {
  const plain = sources.map((source) => source.plainName?.(group)).find((each) => each !== undefined) ?? group
  const name = plain
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 50)
  return name === '' ? 'group' : name
}

/** Returns a unique NodePool name for each group. */
export const poolNames = (
  groups: readonly { readonly name: string }[],
  sources: readonly ProviderSource[],
): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const { name } of groups) {
    const wanted = poolName(name, sources)
    let free = wanted
    for (let count = 2; taken.has(free); count++) free = `${wanted}-${count}`
    taken.add(free)
    names.set(name, free)
  }
  return names
}
