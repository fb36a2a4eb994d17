import type { Fate } from './fate.ts'
import { fateOf } from './fate.ts'
import type { ReadGroup } from './read-asg.ts'
import { type ReadTemplate, templateFor } from './read-launch-template.ts'
import type { Question, SourceGroup } from './source-group.ts'

export interface JoinedGroups {
  readonly groups: readonly SourceGroup[]
  readonly fates: readonly Fate[]
  readonly questions: readonly Question[]
}

const nameOf = ({ origin, name }: SourceGroup): string => `${origin} ${name}`

/** What the launch template adds; the group's own settings come first. */
const withTemplate = (group: SourceGroup, template: ReadTemplate): SourceGroup => ({
  ...group,
  instanceTypes:
    group.instanceTypes.length > 0 || template.instanceType === undefined
      ? group.instanceTypes
      : [template.instanceType],
  capacityTypes: template.isSpot ? ['spot'] : group.capacityTypes,
  launch: {
    ...template.settings,
    ...Object.fromEntries(
      Object.entries(group.launch).filter(([, value]) => !(Array.isArray(value) && value.length === 0)),
    ),
    tags: { ...template.settings.tags, ...group.launch.tags },
  },
})

/** A managed node group and the Auto Scaling group behind it are one: EKS says labels and image, the other zones and subnets. */
const withScalingGroup = (managed: SourceGroup, asg: SourceGroup): SourceGroup => ({
  ...managed,
  zones: managed.zones.length > 0 ? managed.zones : asg.zones,
  instanceTypes: managed.instanceTypes.length > 0 ? managed.instanceTypes : asg.instanceTypes,
  labels: { ...asg.labels, ...managed.labels },
  taints: managed.taints.length > 0 ? managed.taints : asg.taints,
  options: { ...asg.options, ...managed.options },
  launch: {
    ...asg.launch,
    ...managed.launch,
    subnetIds: managed.launch.subnetIds?.length ? managed.launch.subnetIds : (asg.launch.subnetIds ?? []),
  },
})

/**
 * Puts together what several exports say about one group: managed node groups with their Auto Scaling groups, and both with their
 * launch templates. Templates that no group names, and references to templates that are not there, are named.
 */
export const joinGroups = (read: readonly ReadGroup[], templates: readonly ReadTemplate[]): JoinedGroups => {
  const questions: Question[] = read.flatMap((each) => each.questions)
  const fates: Fate[] = read.flatMap((each) => each.fates)
  const byName = new Map(
    read.filter(({ group }) => group.origin === 'Auto Scaling group').map(({ group }) => [group.name, group]),
  )
  const behind = new Set(read.flatMap(({ group }) => group.scalingGroups ?? []))
  const used = new Set<ReadTemplate>()
  const groups: SourceGroup[] = []
  const seen = new Map<string, string>()
  for (const { group } of read) {
    if (group.origin === 'Auto Scaling group' && behind.has(group.name)) continue
    const [other] = (group.scalingGroups ?? []).flatMap((name) => byName.get(name) ?? [])
    const joined = other === undefined ? group : withScalingGroup(group, other)
    const before = seen.get(joined.name)
    if (before !== undefined) {
      fates.push(fateOf(nameOf(joined), joined.at, { because: `it is described in ${before} already` }))
      continue
    }
    seen.set(joined.name, joined.at)
    const ref = joined.template ?? other?.template
    if (ref === undefined) {
      groups.push(joined)
      continue
    }
    const template = templateFor(ref, templates)
    if (template === undefined) {
      const name = ref.name ?? ref.id ?? ''
      fates.push(
        fateOf(nameOf(joined), `launch template ${name}`, {
          because: `version ${ref.version} of it is not among the files: its image, disks, user data and security groups are not known`,
        }),
      )
      questions.push({
        object: nameOf(joined),
        message: `give version ${ref.version} of its launch template: aws ec2 describe-launch-template-versions --${ref.id === undefined ? 'launch-template-name' : 'launch-template-id'} ${ref.id ?? name} --versions '${ref.version}'`,
      })
      groups.push(joined)
      continue
    }
    used.add(template)
    groups.push(withTemplate(joined, template))
  }
  for (const template of templates) {
    if (used.has(template)) fates.push(...template.fates)
    else
      fates.push(
        fateOf(`launch template ${template.name ?? template.id ?? ''}`, `version ${template.version}`, {
          because: 'no node group of the files uses it',
        }),
      )
  }
  return {
    groups,
    fates,
    questions: questions.filter(
      ({ object }) => !object.startsWith('Auto Scaling group ') || !behind.has(object.slice(19)),
    ),
  }
}
