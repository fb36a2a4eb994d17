import { ownValue, plainText } from '@kerf/apis'
import type { GroupReader, ReaderTools } from '@kerf/provider-contract'
import { asObjects, asText, isLoose, type Loose, looseAt } from '@kerf/provider-kit/documents'
import { fieldConversion } from '@kerf/provider-kit/migration'
import type { LaunchSettings, ReadAwsGroup } from './aws-group.ts'
import { joinGroups } from './join-groups.ts'
import { readAsg, withTags } from './read-asg.ts'
import { readEksctl } from './read-eksctl.ts'
import { launchConfiguration, readLaunchConfiguration } from './read-launch-configuration.ts'
import { type ReadTemplate, readLaunchTemplate } from './read-launch-template.ts'
import { readManagedGroup } from './read-managed-group.ts'
import { launchTemplate, managedGroup, scalingGroup } from './read-terraform.ts'

/** Tags that a separate Terraform resource adds to an Auto Scaling group. */
interface SeparateTags {
  readonly group: string
  readonly tags: readonly Loose[]
  readonly at: string
}

/** Returns a reader for exports of AWS, eksctl files and resources of Terraform. */
export const groupReader = ({ report }: Pick<ReaderTools, 'report'>): GroupReader<LaunchSettings> => {
  const groups: ReadAwsGroup[] = []
  const templates: ReadTemplate[] = []
  const separateTags: SeparateTags[] = []
  let clusterName: string | undefined

  const unusable = (at: string, what: string, because: string): void => report(fieldConversion(at, what, { because }))

  type Add = (source: Loose, at: string) => void
  const addAsg: Add = (source, at) => {
    if (asText(source['AutoScalingGroupName']) === undefined)
      unusable(at, 'Auto Scaling group', 'it has no AutoScalingGroupName: the export is cut off')
    else groups.push(readAsg(source, at))
  }
  const addTemplate: Add = (source, at) => {
    if (!isLoose(source['LaunchTemplateData']))
      unusable(
        at,
        `launch template ${asText(source['LaunchTemplateName']) ?? asText(source['LaunchTemplateId']) ?? ''}`,
        'it has no LaunchTemplateData: export it with aws ec2 describe-launch-template-versions',
      )
    else templates.push(readLaunchTemplate(source, at))
  }
  const addConfiguration: Add = (source, at) => {
    if (asText(source['LaunchConfigurationName']) === undefined)
      unusable(at, 'launch configuration', 'it has no LaunchConfigurationName: the export is cut off')
    else templates.push(readLaunchConfiguration(source, at))
  }
  const addManaged: Add = (source, at) => {
    clusterName ??= asText(source['clusterName'])
    if (asText(source['nodegroupName']) === undefined)
      unusable(at, 'managed node group', 'it has no nodegroupName: the export is cut off')
    else groups.push(readManagedGroup(source, at))
  }

  const lists: Readonly<Record<string, Add>> = {
    AutoScalingGroups: addAsg,
    LaunchTemplateVersions: addTemplate,
    LaunchConfigurations: addConfiguration,
    nodegroups: addManaged,
  }
  /** Adds the entries of the lists in an export. Returns false if the export has no lists. */
  const addLists = (value: Loose, at: string): boolean => {
    let isKnown = false
    for (const [name, add] of Object.entries(lists)) {
      const entries = ownValue(value, name)
      if (!Array.isArray(entries)) continue
      isKnown = true
      for (const each of entries) {
        if (isLoose(each)) add(each, at)
        else unusable(at, name, 'of the groups it lists only the names; export each with aws eks describe-nodegroup')
      }
      if (asText(value['NextToken']) !== undefined || asText(value['nextToken']) !== undefined)
        unusable(
          at,
          name,
          'the export has further pages that are not here (NextToken); export again without --max-items',
        )
    }
    return isKnown
  }

  /** The reader for each type of Terraform resource. Resources of other types are reported. */
  const resources: Readonly<Record<string, Add>> = {
    aws_autoscaling_group: (values, at) => addAsg(scalingGroup(values), at),
    aws_launch_template: (values, at) => addTemplate(launchTemplate(values), at),
    aws_eks_node_group: (values, at) => addManaged(managedGroup(values), at),
    aws_launch_configuration: (values, at) => addConfiguration(launchConfiguration(values), at),
    aws_autoscaling_group_tag: (values, at) =>
      separateTags.push({
        group: plainText(values['autoscaling_group_name'] ?? ''),
        tags: asObjects(values['tag']),
        at,
      }),
  }

  /** Adds separate tags to the node groups that they belong to. Reports tags of a missing group. */
  const addTags = (): void => {
    for (const { group: name, tags, at } of separateTags) {
      const index = groups.findIndex(({ group }) => group.name === name || group.scalingGroups?.includes(name) === true)
      const found = groups[index]
      const entries = tags.flatMap((tag) => {
        const key = asText(tag['key'])
        return key === undefined ? [] : [[key, plainText(tag['value'] ?? '')] as const]
      })
      if (found === undefined) {
        for (const [key] of entries)
          unusable(at, `tag ${key}`, `no node group of the files is the Auto Scaling group ${name}`)
        continue
      }
      const propagated = tags.flatMap((tag) => (tag['propagate_at_launch'] === true ? (asText(tag['key']) ?? []) : []))
      groups[index] = withTags(found, Object.fromEntries(entries), new Set(propagated))
    }
  }

  return {
    read: (value, at) => {
      if (value['kind'] === 'ClusterConfig' && plainText(value['apiVersion']).startsWith('eksctl.io/')) {
        groups.push(...readEksctl(value, at))
        clusterName ??= asText(looseAt(value, 'metadata', 'name'))
        return true
      }
      const hasLists = addLists(value, at)
      if (isLoose(value['nodegroup'])) addManaged(value['nodegroup'], at)
      else if (hasLists) return true
      else if (value['AutoScalingGroupName'] !== undefined) addAsg(value, at)
      else if (value['LaunchTemplateData'] !== undefined) addTemplate(value, at)
      else if (value['nodegroupName'] !== undefined) addManaged(value, at)
      else return false
      return true
    },
    readResources: (all, at) => {
      const used = all.filter(({ type }) => ownValue(resources, type) !== undefined)
      for (const { type, values, address } of used) ownValue(resources, type)?.(values, `${at} ${address}`)
      clusterName ??= all.flatMap(({ type, values }) =>
        type === 'aws_eks_cluster' ? (asText(values['name']) ?? []) : [],
      )[0]
      return new Set(used)
    },
    finish: () => {
      addTags()
      return { ...joinGroups(groups, templates), ...(clusterName === undefined ? {} : { clusterName }) }
    },
  }
}
