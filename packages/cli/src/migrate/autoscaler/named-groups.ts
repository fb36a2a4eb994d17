import type { FieldConversion, Question, SourceGroup } from '@kerf/provider-contract'
import { fieldConversion } from '@kerf/provider-kit/migration'
import type { ClusterAutoscaler } from '../../doctor/cluster-autoscaler.ts'
import { describingSource, isNamed, type ProviderSource } from '../groups/provider-sources.ts'

/** A value of `--nodes`, in the form `MIN:MAX:GROUP`. */
interface NamedGroup {
  readonly value: string
  readonly min: number
  readonly max: number
  readonly name: string
}

export interface NamedGroups {
  /** The groups, with the sizes that Cluster Autoscaler uses. */
  readonly groups: readonly SourceGroup[]
  readonly conversions: readonly FieldConversion[]
  readonly questions: readonly Question[]
}

const namedGroup = (value: string): NamedGroup | undefined => {
  const [, min, max, name] = /^(\d+):(\d+):(.+)$/s.exec(value) ?? []
  return name === undefined ? undefined : { value, min: Number(min), max: Number(max), name }
}

/**
 * Returns the groups. If `--nodes` is used, they get the sizes from this flag, because Cluster Autoscaler then ignores the
 * sizes in the cloud (`docs/spec/coexistence.md#flags`). Adds a question for each group that Cluster Autoscaler does not scale.
 */
export const withNamedSizes = (
  groups: readonly SourceGroup[],
  autoscaler: ClusterAutoscaler | undefined,
  object: string,
  sources: readonly ProviderSource[],
): NamedGroups => {
  const flagValues = (name: string): readonly string[] =>
    (autoscaler?.flagList ?? []).flatMap((flag) => (flag.name === name ? [flag.value] : []))
  const flags = flagValues('nodes').flatMap((value) => namedGroup(value) ?? [])
  const discovery = flagValues('node-group-auto-discovery')
  const conversions: FieldConversion[] = []
  const questions: Question[] = []
  const sized = groups.map((group): SourceGroup => {
    // Cluster Autoscaler registers each group only once, so only the first `--nodes` flag that names the group applies.
    const flag = flags.find((each) => isNamed(group, each.name))
    if (flag === undefined) {
      const message = describingSource(group, sources)?.whyNotScaled?.(group, {
        namesGroups: flags.length > 0,
        discovery,
      })
      if (message !== undefined) questions.push({ object: `${group.origin} ${group.name}`, message })
      return group
    }
    const { min, max } = flag
    if (min !== group.min || max !== group.max)
      conversions.push(
        fieldConversion(`${group.origin} ${group.name}`, 'sizes', {
          to: 'NodePool spec.limits.nodes',
          because: `--nodes=${flag.value} bounds it: Cluster Autoscaler does not use ${group.min} to ${group.max} of the group itself`,
        }),
      )
    return { ...group, min, max }
  })
  for (const flag of flags)
    if (!groups.some((group) => isNamed(group, flag.name))) {
      conversions.push(
        fieldConversion(object, `group of --nodes=${flag.value}`, { because: 'no export describes the group' }),
      )
      questions.push({ object, message: `give an export of ${flag.name}, which --nodes=${flag.value} names` })
    }
  return { groups: sized, conversions, questions }
}

/** Returns whether a value of `--nodes` has the form that Cluster Autoscaler accepts. */
export const isNodesValue = (value: string): boolean => namedGroup(value) !== undefined
