import type { FieldConversion, Question, ReadGroups } from '@kerf/provider-contract'
import { fieldConversion } from '@kerf/provider-kit/migration'
import {
  type AwsGroup,
  configurationId,
  type LaunchSettings,
  type ReadAwsGroup,
  type TemplateRef,
} from './aws-group.ts'
import { type ReadTemplate, templateFor } from './read-launch-template.ts'

const isConfiguration = (id: string | undefined): boolean => id?.startsWith(configurationId('')) === true

const templateName = ({ id, name = id ?? '' }: Pick<TemplateRef, 'id' | 'name'>): string =>
  isConfiguration(id) ? name : `launch template ${name}`

/** Returns the name of a launch template that no file contains, and the command that exports it. */
const missingTemplate = (ref: TemplateRef): { readonly what: string; readonly command: string } => {
  const { id, name = id ?? '', version } = ref
  if (isConfiguration(id)) {
    const own = name.slice(configurationId('').length)
    return {
      what: name,
      command: `aws autoscaling describe-launch-configurations --launch-configuration-names ${own}`,
    }
  }
  const by = id === undefined ? 'launch-template-name' : 'launch-template-id'
  return {
    what: `launch template ${name} version ${version}`,
    command: `aws ec2 describe-launch-template-versions --${by} ${id ?? name} --versions '${version}'`,
  }
}

const objectName = ({ origin, name }: AwsGroup): string => `${origin} ${name}`

/** Returns the instance types of the template, unless the node group lists instance types or selects them by attributes. */
const typesWith = (
  { instanceTypes, attributes }: AwsGroup,
  template: ReadTemplate,
): Pick<AwsGroup, 'instanceTypes' | 'attributes'> => {
  if (instanceTypes.length > 0) return { instanceTypes }
  if (attributes !== undefined) return { instanceTypes, attributes }
  return template.instanceType === undefined && template.attributes !== undefined
    ? { instanceTypes, attributes: template.attributes }
    : { instanceTypes: template.instanceType === undefined ? [] : [template.instanceType] }
}

/** Returns the node group with the settings of its launch template. The group's own settings take precedence. */
const withTemplate = (group: AwsGroup, template: ReadTemplate): AwsGroup => ({
  ...group,
  ...typesWith(group, template),
  capacityTypes: template.isSpot ? ['spot'] : group.capacityTypes,
  launch: {
    ...template.settings,
    ...Object.fromEntries(
      Object.entries(group.launch).filter(([, value]) => !(Array.isArray(value) && value.length === 0)),
    ),
    tags: { ...template.settings.tags, ...group.launch.tags },
  },
})

/** Corrects the results for taints in the Auto Scaling group's tags. EKS sets only the taints of the managed node group on its nodes. */
const withoutTaintTags = (
  conversions: readonly FieldConversion[],
  asg: AwsGroup,
  managed: AwsGroup,
): readonly FieldConversion[] =>
  conversions.map((conversion) => {
    const [, key] = /^tag k8s\.io\/cluster-autoscaler\/node-template\/taint\/(.+)$/s.exec(conversion.field) ?? []
    if (
      conversion.object !== objectName(asg) ||
      conversion.to !== 'NodePool spec.template.spec.taints' ||
      key === undefined
    )
      return conversion
    if (managed.taints.some((taint) => taint.key === key)) return conversion
    return fieldConversion(conversion.object, conversion.field, {
      because: `EKS says the taints of the managed node group ${managed.name}, and its nodes have no taint ${key}`,
    })
  })

/**
 * Merges a managed node group with its Auto Scaling group. EKS determines labels and image. If EKS has no zones and subnets, those of the
 * Auto Scaling group are used.
 */
const withScalingGroup = (managed: AwsGroup, asg: AwsGroup): AwsGroup => ({
  ...managed,
  zones: managed.zones.length > 0 ? managed.zones : asg.zones,
  instanceTypes: managed.instanceTypes.length > 0 ? managed.instanceTypes : asg.instanceTypes,
  ...(managed.instanceTypes.length > 0 || asg.attributes === undefined ? {} : { attributes: asg.attributes }),
  labels: { ...asg.labels, ...managed.labels },
  taints: managed.taints,
  startupTaints: managed.startupTaints.length > 0 ? managed.startupTaints : asg.startupTaints,
  options: { ...asg.options, ...managed.options },
  launch: {
    ...asg.launch,
    ...managed.launch,
    subnetIds: managed.launch.subnetIds?.length ? managed.launch.subnetIds : (asg.launch.subnetIds ?? []),
  },
})

/**
 * Joins the data of several exports about one group: managed node groups with their Auto Scaling groups, and both with their launch
 * templates. Reports templates that no group uses, and references to missing templates.
 */
export const joinGroups = (
  read: readonly ReadAwsGroup[],
  templates: readonly ReadTemplate[],
): ReadGroups<LaunchSettings> => {
  const questions: Question[] = read.flatMap((each) => each.questions)
  let conversions: FieldConversion[] = read.flatMap((each) => [...each.conversions])
  const byName = new Map(
    read.filter(({ group }) => group.origin === 'Auto Scaling group').map(({ group }) => [group.name, group]),
  )
  const behind = new Set(read.flatMap(({ group }) => group.scalingGroups ?? []))
  const used = new Set<ReadTemplate>()
  const groups: AwsGroup[] = []
  const seen = new Map<string, string>()
  for (const { group } of read) {
    if (group.origin === 'Auto Scaling group' && behind.has(group.name)) continue
    const [other] = (group.scalingGroups ?? []).flatMap((name) => byName.get(name) ?? [])
    const joined = other === undefined ? group : withScalingGroup(group, other)
    if (other !== undefined) conversions = [...withoutTaintTags(conversions, other, group)]
    const before = seen.get(joined.name)
    if (before !== undefined) {
      conversions.push(
        fieldConversion(objectName(joined), joined.at, { because: `it is described in ${before} already` }),
      )
      continue
    }
    seen.set(joined.name, joined.at)
    const ref = joined.launch.template
    if (ref === undefined) {
      groups.push(joined)
      continue
    }
    const template = templateFor(ref, templates)
    if (template === undefined) {
      const { what, command } = missingTemplate(ref)
      conversions.push(
        fieldConversion(objectName(joined), what, {
          because: 'it is not among the files: its image, disks, user data and security groups are not known',
        }),
      )
      questions.push({
        object: objectName(joined),
        message: `give its ${what}: ${command}`,
      })
      groups.push(joined)
      continue
    }
    used.add(template)
    groups.push(withTemplate(joined, template))
  }
  for (const template of templates) {
    if (used.has(template)) conversions.push(...template.conversions)
    else
      conversions.push(
        fieldConversion(templateName(template), `version ${template.version}`, {
          because: 'no node group of the files uses it',
        }),
      )
  }
  return {
    groups,
    conversions,
    questions: questions.filter(
      ({ object }) => !object.startsWith('Auto Scaling group ') || !behind.has(object.slice(19)),
    ),
  }
}
