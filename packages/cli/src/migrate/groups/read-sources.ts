import type { KubeObject } from '@kerf/apis'
import { ownValue, plainText } from '@kerf/apis'
import type { Fate } from '@kerf/provider-contract'
import { isLoose, type Loose, looseAt, objectsOf, textOf } from '@kerf/provider-kit/documents'
import { fateOf } from '@kerf/provider-kit/migration'
import { missingField } from '../../doctor/whole-object.ts'
import { identityOf } from '../../manifests/last-applied.ts'
import type { FoundDocument } from '../../manifests/read-documents.ts'
import { type AutoscalerProfile, readAksProfile } from './aks-profile.ts'
import { type AksCluster, readAksPool } from './read-aks-pool.ts'
import { type ReadGroup, readAsg, withTags } from './read-asg.ts'
import { readEksctl } from './read-eksctl.ts'
import { groupingOf, readKwokTemplates } from './read-kwok-templates.ts'
import { readLaunchConfiguration } from './read-launch-configuration.ts'
import { type ReadTemplate, readLaunchTemplate } from './read-launch-template.ts'
import { readManagedGroup } from './read-managed-group.ts'
import { readTerraform } from './read-terraform.ts'
import { refuseOtherClouds } from './refused-clouds.ts'

/** The contents of the files, sorted by kind. */
export interface Sources {
  readonly groups: readonly ReadGroup[]
  readonly templates: readonly ReadTemplate[]
  readonly objects: readonly KubeObject[]
  /** Fates of documents that cannot be used. */
  readonly fates: readonly Fate[]
  /** The cluster name in an eksctl file or an export, if there is one. */
  readonly clusterName?: string
  /** Settings of the Cluster Autoscaler that AKS runs. */
  readonly profile?: AutoscalerProfile
  /** The label by which the KWOK provider groups its templates. */
  readonly groupingLabel?: string
}

interface Gathered {
  groups: ReadGroup[]
  templates: ReadTemplate[]
  /** Objects by identity. If an object occurs several times, the last one counts. */
  objects: Map<string, { readonly object: KubeObject; readonly at: string }>
  fates: Fate[]
  /** Tags of groups that are documents of their own. */
  tags: { readonly group: string; readonly tags: readonly Loose[]; readonly at: string }[]
  clusterName?: string
  profile?: AutoscalerProfile
}

const isKubeObject = (document: Loose): boolean =>
  typeof document['apiVersion'] === 'string' && typeof document['kind'] === 'string'

/** Adds an object of the cluster. If a required field is missing, reports the object and leaves it out. */
const addObject = (document: Loose, at: string, into: Gathered): void => {
  const kind = String(document['kind'])
  const name = textOf(looseAt(document, 'metadata', 'name'))
  if (name === undefined) {
    into.fates.push(fateOf(at, kind, { because: 'it has no metadata.name' }))
    return
  }
  const object = document as unknown as KubeObject
  const missing = missingField(object)
  if (missing !== undefined) {
    into.fates.push(
      fateOf(`${kind} ${name}`, missing, {
        because: `it is missing: the export in ${at} is cut off or of another kind`,
      }),
    )
    return
  }
  const identity = identityOf(object) ?? name
  const earlier = into.objects.get(identity)
  if (earlier !== undefined)
    into.fates.push(
      fateOf(`${kind} ${name}`, 'the whole object', {
        because: `${earlier.at} and ${at} both have it: the last one counts, as with kubectl apply`,
      }),
    )
  into.objects.set(identity, { object, at })
}

const unnamed = (into: Gathered, at: string, what: string, because: string): void => {
  into.fates.push(fateOf(at, what, { because }))
}

const addAsg = (source: Loose, at: string, into: Gathered): void => {
  if (textOf(source['AutoScalingGroupName']) === undefined)
    unnamed(into, at, 'Auto Scaling group', 'it has no AutoScalingGroupName: the export is cut off')
  else into.groups.push(readAsg(source, at))
}

const addTemplate = (source: Loose, at: string, into: Gathered): void => {
  if (!isLoose(source['LaunchTemplateData']))
    unnamed(
      into,
      at,
      `launch template ${textOf(source['LaunchTemplateName']) ?? textOf(source['LaunchTemplateId']) ?? ''}`,
      'it has no LaunchTemplateData: export it with aws ec2 describe-launch-template-versions',
    )
  else into.templates.push(readLaunchTemplate(source, at))
}

const addConfiguration = (source: Loose, at: string, into: Gathered): void => {
  if (textOf(source['LaunchConfigurationName']) === undefined)
    unnamed(into, at, 'launch configuration', 'it has no LaunchConfigurationName: the export is cut off')
  else into.templates.push(readLaunchConfiguration(source, at))
}

const addManaged = (source: Loose, at: string, into: Gathered): void => {
  const cluster = textOf(source['clusterName'])
  if (cluster !== undefined) into.clusterName ??= cluster
  if (textOf(source['nodegroupName']) === undefined)
    unnamed(into, at, 'managed node group', 'it has no nodegroupName: the export is cut off')
  else into.groups.push(readManagedGroup(source, at))
}

const AKS_POOL = /^Microsoft\.ContainerService\/managedClusters\/agentPools$/i

const addAksPool = (source: Loose, at: string, into: Gathered, cluster: AksCluster = {}): void => {
  if (textOf(source['name']) === undefined) unnamed(into, at, 'AKS node pool', 'it has no name: the export is cut off')
  else into.groups.push(readAksPool(source, at, cluster))
}

/** Adds the pools of `az aks show`, with the cluster's facts that the pools themselves do not contain. */
const addAksCluster = (source: Loose, at: string, into: Gathered): void => {
  const properties = isLoose(source['properties']) ? source['properties'] : source
  const [name, location] = [textOf(source['name']), textOf(source['location'])]
  const group = textOf(source['resourceGroup']) ?? /\/resourceGroups\/([^/]+)\//i.exec(textOf(source['id']) ?? '')?.[1]
  if (name !== undefined) into.clusterName ??= name
  const cluster: AksCluster = {
    ...(name === undefined ? {} : { name }),
    ...(group === undefined ? {} : { resourceGroup: group }),
    ...(location === undefined ? {} : { location }),
  }
  const profile = properties['autoScalerProfile']
  if (isLoose(profile)) into.profile ??= readAksProfile(profile, `AKS cluster ${name ?? ''}`)
  for (const pool of objectsOf(properties['agentPoolProfiles'])) addAksPool(pool, at, into, cluster)
}

/**
 * Adds the resources of Terraform's state. Returns false if the document is not such a state. If the state has one AKS cluster, its
 * location applies to every pool.
 */
const addTerraform = (document: Loose, at: string, into: Gathered): boolean => {
  const terraform = readTerraform(document)
  if (terraform === undefined) return false
  const clusters = terraform.found.filter(({ kind }) => kind === 'AKS cluster')
  for (const { kind, source, address } of terraform.found) {
    const where = `${at} ${address}`
    switch (kind) {
      case 'auto scaling group':
        addAsg(source, where, into)
        break
      case 'launch template':
        addTemplate(source, where, into)
        break
      case 'launch configuration':
        addConfiguration(source, where, into)
        break
      case 'managed node group':
        addManaged(source, where, into)
        break
      case 'AKS cluster':
        addAksCluster(source, where, into)
        break
      case 'AKS node pool': {
        const location = clusters.length === 1 ? textOf(clusters[0]?.source['location']) : undefined
        addAksPool(source, where, into, location === undefined ? {} : { location })
      }
    }
  }
  for (const { address, ...each } of terraform.tags) into.tags.push({ ...each, at: `${at} ${address}` })
  if (terraform.clusterName !== undefined) into.clusterName ??= terraform.clusterName
  for (const [type, count] of terraform.others)
    unnamed(
      into,
      at,
      `${count} ${type}`,
      ownValue(UNREAD_TYPES, type) ?? 'this type of resource says nothing about node groups',
    )
  return true
}

/** Adds an export of AKS. Returns whether it was one. */
const addAks = (value: Loose, at: string, into: Gathered): boolean => {
  const type = textOf(value['type']) ?? ''
  const isCluster =
    objectsOf(looseAt(value, 'properties', 'agentPoolProfiles') ?? value['agentPoolProfiles']).length > 0
  if (isCluster) addAksCluster(value, at, into)
  else if (AKS_POOL.test(type)) addAksPool(value, at, into)
  return isCluster || AKS_POOL.test(type)
}

const addDocument = (value: unknown, at: string, into: Gathered): void => {
  if (Array.isArray(value)) {
    for (const each of value) addDocument(each, at, into)
    return
  }
  if (!isLoose(value)) {
    unnamed(into, at, 'document', 'it is no object')
    return
  }
  refuseOtherClouds(value, at)
  const { kind } = value
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(value['items'])) {
    const [apiVersion, of] = [value['apiVersion'], kind.slice(0, -4)]
    for (const item of objectsOf(value['items']))
      addDocument(of === '' ? item : { apiVersion, kind: of, ...item }, at, into)
    return
  }
  if (kind === 'ClusterConfig' && plainText(value['apiVersion']).startsWith('eksctl.io/')) {
    into.groups.push(...readEksctl(value, at))
    const cluster = textOf(looseAt(value, 'metadata', 'name'))
    if (cluster !== undefined) into.clusterName ??= cluster
    return
  }
  if (isLoose(value['recording']) && Array.isArray(value['objects'])) {
    for (const each of objectsOf(value['objects'])) addDocument(each, at, into)
    return
  }
  if (isKubeObject(value)) {
    addObject(value, at, into)
    return
  }
  if (addAks(value, at, into)) return
  if (addTerraform(value, at, into)) return
  const lists: Readonly<Record<string, typeof addAsg>> = {
    AutoScalingGroups: addAsg,
    LaunchTemplateVersions: addTemplate,
    LaunchConfigurations: addConfiguration,
    nodegroups: addManaged,
  }
  let known = false
  for (const [name, add] of Object.entries(lists)) {
    const groups = ownValue(value, name)
    if (!Array.isArray(groups)) continue
    known = true
    for (const each of groups) {
      if (isLoose(each)) add(each, at, into)
      else unnamed(into, at, name, 'of the groups it lists only the names; export each with aws eks describe-nodegroup')
    }
    if (textOf(value['NextToken']) !== undefined || textOf(value['nextToken']) !== undefined)
      unnamed(
        into,
        at,
        name,
        'the export has further pages that are not here (NextToken); export again without --max-items',
      )
  }
  if (isLoose(value['nodegroup'])) {
    known = true
    addManaged(value['nodegroup'], at, into)
  }
  if (!known && value['AutoScalingGroupName'] !== undefined) {
    known = true
    addAsg(value, at, into)
  }
  if (!known && value['LaunchTemplateData'] !== undefined) {
    known = true
    addTemplate(value, at, into)
  }
  if (!known && value['nodegroupName'] !== undefined) {
    known = true
    addManaged(value, at, into)
  }
  if (!known)
    unnamed(
      into,
      at,
      Object.keys(value).slice(0, 3).join(', '),
      'it is neither an export of AWS or AKS, an eksctl or Terraform file, nor an object of Kubernetes',
    )
}

/** Resource types of Terraform that affect node groups but have no counterpart in a NodePool, with the reason. */
const UNREAD_TYPES: Readonly<Record<string, string>> = {
  aws_autoscaling_schedule: 'schedules are of Auto Scaling groups; change spec.limits by a CronJob instead',
  aws_autoscaling_policy: 'pods decide how many nodes there are',
  aws_autoscaling_lifecycle_hook: 'Kerf launches instances without an Auto Scaling group, which alone knows it',
  aws_autoscaling_attachment: 'nodes register with load balancers through the load balancer controller, not by group',
}

/** Adds separate tag documents to the groups that they name. Reports tags of a missing group. */
const addTags = (into: Gathered): void => {
  for (const { group: name, tags, at } of into.tags) {
    const index = into.groups.findIndex(
      ({ group }) => group.name === name || group.scalingGroups?.includes(name) === true,
    )
    const found = into.groups[index]
    const entries = tags.flatMap((tag) => {
      const key = textOf(tag['key'])
      return key === undefined ? [] : [[key, plainText(tag['value'] ?? '')] as const]
    })
    if (found === undefined) {
      for (const [key] of entries)
        unnamed(into, at, `tag ${key}`, `no node group of the files is the Auto Scaling group ${name}`)
      continue
    }
    const propagated = tags.flatMap((tag) => (tag['propagate_at_launch'] === true ? (textOf(tag['key']) ?? []) : []))
    into.groups[index] = withTags(found, Object.fromEntries(entries), new Set(propagated))
  }
}

const configMapText = (
  objects: readonly KubeObject[],
  key: string,
): readonly { readonly text: string; readonly at: string }[] =>
  objects.flatMap((object) => {
    const text = object.kind === 'ConfigMap' ? textOf(looseAt(object, 'data', key)) : undefined
    return text === undefined ? [] : [{ text, at: `ConfigMap ${object.metadata.name}` }]
  })

/**
 * Sorts documents into node groups, launch templates and objects of the cluster. Reports every other document with the reason.
 *
 * @throws CliError for exports of a cloud whose node groups are not supported
 */
export const readSources = (documents: readonly FoundDocument[]): Sources => {
  const into: Gathered = { groups: [], templates: [], objects: new Map(), fates: [], tags: [] }
  for (const { value, file, line } of documents) addDocument(value, line === undefined ? file : `${file}:${line}`, into)
  addTags(into)
  const objects = Array.from(into.objects.values(), ({ object }) => object)
  const grouping = groupingOf(configMapText(objects, 'config').map(({ text }) => text))
  const templates = configMapText(objects, 'templates')
  for (const { text, at } of templates) {
    const { groups, fates } = readKwokTemplates(text, grouping, at)
    into.groups.push(...groups)
    into.fates.push(...fates)
  }
  return {
    ...into,
    objects,
    ...(templates.length === 0 || grouping.label === undefined ? {} : { groupingLabel: grouping.label }),
  }
}
