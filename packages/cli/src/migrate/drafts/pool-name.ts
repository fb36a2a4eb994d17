/** Returns a valid NodePool name for a group. A managed node group keeps its name, without what EKS adds for the Auto Scaling group. */
const nameFor = (group: string): string => {
  const own = /^eks-(.+)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.exec(group)?.[1] ?? group
  const name = own
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 50)
  return name === '' ? 'group' : name
}

/** Returns a unique NodePool name for each group. */
export const poolNames = (groups: readonly { readonly name: string }[]): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const { name } of groups) {
    const wanted = nameFor(name)
    let free = wanted
    for (let count = 2; taken.has(free); count++) free = `${wanted}-${count}`
    taken.add(free)
    names.set(name, free)
  }
  return names
}
