import { type Right, type RightOption, type RightVerb, resourceOf } from '@kerf/runtime'

/** A rule of a Role or ClusterRole, and the option without which it is left out. */
export interface PolicyRule {
  readonly when: RightOption | undefined
  readonly apiGroup: string
  readonly resources: readonly string[]
  readonly resourceNames: readonly string[] | undefined
  readonly verbs: readonly RightVerb[]
}

const VERBS: readonly RightVerb[] = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']

interface Grant {
  readonly when: RightOption | undefined
  readonly group: string
  readonly resource: string
  readonly names: readonly string[] | undefined
  readonly verb: RightVerb
}

const grantsOf = (rights: readonly Right[]): readonly Grant[] =>
  rights.flatMap((right) =>
    right.verbs.map((verb) => ({
      when: right.when,
      group: right.kind.group,
      resource: resourceOf(right),
      names: right.names,
      verb,
    })),
  )

const keyOf = ({ when, group, resource, names, verb }: Grant): string =>
  JSON.stringify([when, group, resource, names, verb])

/** The grant with fewer conditions that would make it superfluous. */
const weaker = (grant: Grant): readonly Grant[] => [
  { ...grant, when: undefined },
  { ...grant, names: undefined },
  { ...grant, when: undefined, names: undefined },
]

/**
 * The fewest rules that grant the rights and nothing else, in a stable order: what is always granted first. Rights in
 * `granted` stand in another role already.
 */
export const policyRules = (rights: readonly Right[], granted: readonly Right[] = []): readonly PolicyRule[] => {
  const known = new Set(grantsOf(granted).map(keyOf))
  const all = new Map(grantsOf(rights).map((grant) => [keyOf(grant), grant]))
  const needed = [...all].filter(
    ([key, grant]) =>
      !known.has(key) &&
      !weaker(grant).some((other) => keyOf(other) !== key && (all.has(keyOf(other)) || known.has(keyOf(other)))),
  )
  const byResource = Map.groupBy(
    needed.map(([, grant]) => grant),
    ({ when, group, resource, names }) => JSON.stringify([when, group, resource, names]),
  )
  const single = [...byResource.values()].flatMap((grants) => {
    const [first] = grants
    if (first === undefined) return []
    const verbs = VERBS.filter((verb) => grants.some((grant) => grant.verb === verb))
    return [{ ...first, verbs }]
  })
  const merged = Map.groupBy(single, ({ when, group, names, verbs }) => JSON.stringify([when, group, names, verbs]))
  const rules = [...merged.values()].flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    const { when, group: apiGroup, names: resourceNames, verbs } = first
    return [{ when, apiGroup, resources: same.map(({ resource }) => resource).sort(), resourceNames, verbs }]
  })
  const place = ({ when }: PolicyRule): string => when ?? ''
  return rules.sort((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0))
}
