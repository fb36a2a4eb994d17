import { ownValue } from '@kerf/apis'
import type { Fate } from '@kerf/provider-contract'
import { fateOf } from '@kerf/provider-kit/migration'
import type { ClusterAutoscaler } from '../../doctor/cluster-autoscaler.ts'
import type { Question, SourceGroup } from '../groups/source-group.ts'

/** A value of `--nodes`: `MIN:MAX:GROUP`. */
interface NamedGroup {
  readonly value: string
  readonly min: number
  readonly max: number
  readonly name: string
}

export interface NamedGroups {
  /** The groups, with the sizes that Cluster Autoscaler uses. */
  readonly groups: readonly SourceGroup[]
  readonly fates: readonly Fate[]
  readonly questions: readonly Question[]
}

const ENABLED = 'k8s.io/cluster-autoscaler/enabled'

const namedGroup = (value: string): NamedGroup | undefined => {
  const [, min, max, name] = /^(\d+):(\d+):(.+)$/s.exec(value) ?? []
  return name === undefined ? undefined : { value, min: Number(min), max: Number(max), name }
}

const isNamed = ({ name, scalingGroups = [] }: SourceGroup, flag: NamedGroup): boolean =>
  flag.name === name || scalingGroups.includes(flag.name) || flag.name.startsWith(`eks-${name}-`)

/** Returns whether the group has every tag of a value such as `asg:tag=KEY,KEY=VALUE`. Returns undefined for any other value. */
const isDiscovered = (tags: Readonly<Record<string, string>>, value: string): boolean | undefined => {
  const [, list] = /^asg:tag=(.+)$/s.exec(value) ?? []
  return list?.split(',').every((tag) => {
    const at = tag.indexOf('=')
    return at === -1 ? Object.hasOwn(tags, tag) : ownValue(tags, tag.slice(0, at)) === tag.slice(at + 1)
  })
}

/** Returns why Cluster Autoscaler does not scale an Auto Scaling group that no flag names. Returns undefined if it does. */
const whyNotScaled = ({ tags = {} }: SourceGroup, flags: readonly string[], isKnown: boolean): string | undefined => {
  const found = flags.map((value) => isDiscovered(tags, value))
  if (found.length === 0)
    return isKnown || Object.hasOwn(tags, ENABLED)
      ? undefined
      : `it has no tag ${ENABLED}: Cluster Autoscaler scales it only when --nodes names it`
  return found.some((each) => each !== false)
    ? undefined
    : `it lacks a tag of --node-group-auto-discovery=${flags.join(' and ')}, and no --nodes names it: Cluster Autoscaler does not scale it. Add the tag, or name it with --keep`
}

/**
 * Returns the groups with the sizes from `--nodes`, if that flag names them: Cluster Autoscaler does not ask the cloud for the sizes of
 * these groups (`docs/spec/coexistence.md#flags`). Adds a question for each Auto Scaling group that Cluster Autoscaler does not scale.
 */
export const withNamedSizes = (
  groups: readonly SourceGroup[],
  autoscaler: ClusterAutoscaler | undefined,
  object: string,
): NamedGroups => {
  const valuesOf = (name: string): readonly string[] =>
    (autoscaler?.flagList ?? []).flatMap((flag) => (flag.name === name ? [flag.value] : []))
  const flags = valuesOf('nodes').flatMap((value) => namedGroup(value) ?? [])
  const discovery = valuesOf('node-group-auto-discovery')
  const fates: Fate[] = []
  const questions: Question[] = []
  const sized = groups.map((group): SourceGroup => {
    // Cluster Autoscaler registers a group once, so the first flag that names the group applies.
    const flag = flags.find((each) => isNamed(group, each))
    if (flag === undefined) {
      const why = group.origin === 'Auto Scaling group' ? whyNotScaled(group, discovery, flags.length > 0) : undefined
      const isUnnamed = flags.length > 0 && discovery.length === 0 && group.origin !== 'AKS node pool'
      const message =
        why ??
        (isUnnamed && group.origin !== 'KWOK template' && group.origin !== 'status and nodes'
          ? 'no --nodes names it and Cluster Autoscaler discovers no groups: it does not scale this one. Name it with a flag, or with --keep'
          : undefined)
      if (message !== undefined) questions.push({ object: `${group.origin} ${group.name}`, message })
      return group
    }
    const { min, max } = flag
    if (min !== group.min || max !== group.max)
      fates.push(
        fateOf(`${group.origin} ${group.name}`, 'sizes', {
          to: 'NodePool spec.limits.nodes',
          because: `--nodes=${flag.value} bounds it: Cluster Autoscaler does not use ${group.min} to ${group.max} of the group itself`,
        }),
      )
    return { ...group, min, max }
  })
  for (const flag of flags)
    if (!groups.some((group) => isNamed(group, flag))) {
      fates.push(fateOf(object, `group of --nodes=${flag.value}`, { because: 'no export describes the group' }))
      questions.push({ object, message: `give an export of ${flag.name}, which --nodes=${flag.value} names` })
    }
  return { groups: sized, fates, questions }
}

/** Returns whether a value of `--nodes` has the form that Cluster Autoscaler accepts. */
export const isNodesValue = (value: string): boolean => namedGroup(value) !== undefined
