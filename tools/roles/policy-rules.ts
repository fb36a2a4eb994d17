import { type Permission, type PermissionCondition, type PermissionVerb, permissionResource } from '@kerf/runtime'

/** A rule of a Role or ClusterRole, and the option that enables it. */
export interface PolicyRule {
  readonly when: PermissionCondition | undefined
  readonly apiGroup: string
  readonly resources: readonly string[]
  readonly resourceNames: readonly string[] | undefined
  readonly verbs: readonly PermissionVerb[]
  /** Whether the rule is omitted in observe mode because it allows writes. */
  readonly acts: boolean
}

const READS: readonly PermissionVerb[] = ['get', 'list', 'watch']
/** The verbs in the order in which roles list them. A verb that is missing here is a compile error. */
const VERB_ORDER: Readonly<Record<PermissionVerb, number>> = {
  ...{ get: 0, list: 1, watch: 2, create: 3, update: 4, patch: 5, delete: 6, approve: 7 },
}

interface Grant {
  readonly when: PermissionCondition | undefined
  readonly group: string
  readonly resource: string
  readonly names: readonly string[] | undefined
  readonly verb: PermissionVerb
  readonly acts: boolean
}

const permissionGrants = (permissions: readonly Permission[]): readonly Grant[] =>
  permissions.flatMap((permission) =>
    permission.verbs.map((verb) => ({
      when: permission.when,
      group: permission.kind.group,
      resource: permissionResource(permission),
      names: permission.names,
      verb,
      acts: !READS.includes(verb) && permission.observing !== true,
    })),
  )

const grantKey = ({ when, group, resource, names, verb }: Grant): string =>
  JSON.stringify([when, group, resource, names, verb])

/** Returns the grants that differ from this one only in having fewer conditions. If one of them exists, this grant is unnecessary. */
const weaker = (grant: Grant): readonly Grant[] => [
  { ...grant, when: undefined },
  { ...grant, names: undefined },
  { ...grant, when: undefined, names: undefined },
]

/**
 * Returns the smallest list of rules that grants exactly the permissions, in a stable order: unconditional rules come first. Permissions in
 * `granted` are omitted, because another role grants them.
 */
export const policyRules = (
  permissions: readonly Permission[],
  granted: readonly Permission[] = [],
): readonly PolicyRule[] => {
  const known = new Set(permissionGrants(granted).map(grantKey))
  const all = new Map(permissionGrants(permissions).map((grant) => [grantKey(grant), grant]))
  const needed = [...all].filter(
    ([key, grant]) =>
      !known.has(key) &&
      !weaker(grant).some(
        (other) => grantKey(other) !== key && (all.has(grantKey(other)) || known.has(grantKey(other))),
      ),
  )
  const byResource = Map.groupBy(
    needed.map(([, grant]) => grant),
    ({ when, group, resource, names, acts }) => JSON.stringify([when, group, resource, names, acts]),
  )
  const single = [...byResource.values()].flatMap((grants) => {
    const [first] = grants
    if (first === undefined) return []
    const verbs = [...new Set(grants.map(({ verb }) => verb))].toSorted((a, b) => VERB_ORDER[a] - VERB_ORDER[b])
    return [{ ...first, verbs }]
  })
  const merged = Map.groupBy(single, ({ when, group, names, verbs, acts }) =>
    JSON.stringify([when, group, names, verbs, acts]),
  )
  const rules = [...merged.values()].flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    const { when, group: apiGroup, names: resourceNames, verbs, acts } = first
    return [{ when, apiGroup, resources: same.map(({ resource }) => resource).sort(), resourceNames, verbs, acts }]
  })
  const place = ({ when }: PolicyRule): string => (typeof when === 'object' ? when.env : (when ?? ''))
  return rules.sort((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0))
}
