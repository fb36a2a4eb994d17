import { type LabelSelectorRequirement, labels, ownValue, type PodSpec, setOwnValue } from '@kerf/apis'
import type { FieldConversion } from '@kerf/provider-contract'
import type { Loose } from '@kerf/provider-kit/documents'
import { fieldConversion } from '@kerf/provider-kit/migration'
import { GROUP_LABEL, SIDE_LABEL } from './side.ts'

/** Returns the group whose nodes have a label with this key and value. */
export type GroupOfLabel = (key: string, value: string) => string | undefined

export interface PlaceContext {
  readonly groupNamed: GroupOfLabel
  /** Labels that identify the group of a node. */
  readonly groupLabels: ReadonlySet<string>
  /**
   * Labels that clouds set only on nodes of node groups. Each of their values maps to a value of `karpenter.sh/capacity-type`.
   */
  readonly capacityLabels: ReadonlyMap<string, Readonly<Record<string, string>>>
  /** Name of the NodePool that replaces each group, keyed by group. */
  readonly poolByGroup: ReadonlyMap<string, string>
}

type Affinity = NonNullable<NonNullable<PodSpec['affinity']>['nodeAffinity']>
type Expression = NonNullable<
  NonNullable<
    Affinity['requiredDuringSchedulingIgnoredDuringExecution']
  >['nodeSelectorTerms'][number]['matchExpressions']
>[number]

/** The node selector and affinity of moved pods, expressed with labels that NodePool nodes have. */
export interface MovedPlaces {
  /** JSON merge patch for `nodeSelector`. */
  readonly nodeSelector: Readonly<Record<string, string | null>>
  /** JSON merge patch for `affinity`. Absent if it does not change. */
  readonly affinity?: Loose
  readonly conversions: readonly FieldConversion[]
}

const ONLY_GROUPS = 'only nodes of node groups have that label'

/** Returns the expression rewritten for labels of NodePools. Returns the same object if the expression needs no change. */
const movedExpression = (
  expression: Expression,
  { groupNamed, groupLabels, capacityLabels, poolByGroup }: PlaceContext,
): Expression => {
  const { key, operator, values = [] } = expression
  const capacities = capacityLabels.get(key)
  // No node of a NodePool has one of these labels, so `DoesNotExist` matches all of these nodes and needs no change.
  if (operator === 'DoesNotExist') return expression
  if (capacities !== undefined) {
    const types = values.map((value) => ownValue(capacities, value))
    if (types.some((type) => type === undefined)) return expression
    return { ...expression, key: labels.capacityType, ...(values.length === 0 ? {} : { values: types as string[] }) }
  }
  if (!groupLabels.has(key)) return expression
  if (operator === 'Exists') return { key: labels.nodePool, operator }
  const pools = values.flatMap((value) => poolByGroup.get(groupNamed(key, value) ?? '') ?? [])
  if ((operator !== 'In' && operator !== 'NotIn') || pools.length === 0) return expression
  return { key: GROUP_LABEL, operator, values: pools }
}

/**
 * Returns the groups that the pods select in their node selector or affinity. The NodePools that replace these groups need a label
 * that identifies them.
 */
export const selectedGroups = (spec: PodSpec, groupNamed: GroupOfLabel): readonly string[] => {
  const { requiredDuringSchedulingIgnoredDuringExecution: required, preferredDuringSchedulingIgnoredDuringExecution } =
    spec.affinity?.nodeAffinity ?? {}
  const terms = [
    ...(required?.nodeSelectorTerms ?? []),
    ...(preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ preference }) => preference),
  ]
  return [
    ...Object.entries(spec.nodeSelector ?? {}),
    ...terms.flatMap(({ matchExpressions = [] }) =>
      matchExpressions.flatMap(({ key, values = [] }) => values.map((value) => [key, value] as const)),
    ),
  ].flatMap(([key, value]) => groupNamed(key, value) ?? [])
}

const shown = ({ key, operator, values = [] }: LabelSelectorRequirement | Expression): string =>
  `${key} ${operator}${values.length === 0 ? '' : ` ${values.join(', ')}`}`

/**
 * Replaces labels that only nodes of node groups have, and adds the label that keeps moved pods on NodePool nodes
 * (`docs/spec/coexistence.md#migration-in-phases`).
 */
export const movedPlaces = (name: string, spec: PodSpec, context: PlaceContext): MovedPlaces => {
  const conversions: FieldConversion[] = []
  const nodeSelector: Record<string, string | null> = { [SIDE_LABEL.key]: SIDE_LABEL.value }
  const replace = (key: string, to: string, value: string): void => {
    setOwnValue(nodeSelector, key, null)
    setOwnValue(nodeSelector, to, value)
    conversions.push(fieldConversion(name, `nodeSelector ${key}`, { to: `nodeSelector ${to}`, because: ONLY_GROUPS }))
  }
  for (const [key, value] of Object.entries(spec.nodeSelector ?? {})) {
    const capacity = ownValue(context.capacityLabels.get(key) ?? {}, value)
    const group = context.groupNamed(key, value)
    if (capacity !== undefined) replace(key, labels.capacityType, capacity)
    else if (group !== undefined) replace(key, GROUP_LABEL, context.poolByGroup.get(group) ?? group)
  }
  let isChanged = false
  const moved =
    (field: string) =>
    (expression: Expression): Expression => {
      const found = movedExpression(expression, context)
      if (found === expression) return expression
      isChanged = true
      conversions.push(
        fieldConversion(name, `${field} node affinity ${shown(expression)}`, {
          to: `node affinity ${shown(found)}`,
          because: ONLY_GROUPS,
        }),
      )
      return found
    }
  const { requiredDuringSchedulingIgnoredDuringExecution: required, preferredDuringSchedulingIgnoredDuringExecution } =
    spec.affinity?.nodeAffinity ?? {}
  const terms = required?.nodeSelectorTerms.map((term) => ({
    ...term,
    ...(term.matchExpressions === undefined ? {} : { matchExpressions: term.matchExpressions.map(moved('required')) }),
  }))
  const preferred = preferredDuringSchedulingIgnoredDuringExecution?.map((each) => ({
    ...each,
    preference: {
      ...each.preference,
      ...(each.preference.matchExpressions === undefined
        ? {}
        : { matchExpressions: each.preference.matchExpressions.map(moved('preferred')) }),
    },
  }))
  // A JSON merge patch replaces a list as a whole.
  const nodeAffinity = {
    ...(terms === undefined ? {} : { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } }),
    ...(preferred === undefined ? {} : { preferredDuringSchedulingIgnoredDuringExecution: preferred }),
  }
  return { nodeSelector, ...(isChanged ? { affinity: { nodeAffinity } } : {}), conversions }
}

/** Returns the pod spec after the move. */
export const withPlaces = (spec: PodSpec, { nodeSelector, affinity }: MovedPlaces): PodSpec => {
  const result: Record<string, string> = { ...spec.nodeSelector }
  for (const [key, value] of Object.entries(nodeSelector)) {
    if (value === null) delete result[key]
    else setOwnValue(result, key, value)
  }
  return {
    ...spec,
    nodeSelector: result,
    ...(affinity === undefined ? {} : { affinity: { ...spec.affinity, ...affinity } as PodSpec['affinity'] }),
  } as PodSpec
}
