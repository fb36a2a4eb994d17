import { ownValue, setOwnValue } from '@kerf/apis'
import { type Json, recordOrEmpty, type TemplateInput } from '@kerf/apis/legacy'
import { amiTerms, type SelectorTerms, selectorTerms } from './selector-terms.ts'

/** Fields that are unchanged in v1. */
const SAME = [
  'role',
  'instanceProfile',
  'userData',
  'context',
  'detailedMonitoring',
  'blockDeviceMappings',
  'instanceStorePolicy',
  'associatePublicIPAddress',
  'subnetSelectorTerms',
  'securityGroupSelectorTerms',
] as const
const OLD_SELECTORS = [
  ['subnetSelector', 'subnetSelectorTerms', selectorTerms],
  ['securityGroupSelector', 'securityGroupSelectorTerms', selectorTerms],
  ['amiSelector', 'amiSelectorTerms', amiTerms],
] as const satisfies readonly (readonly [string, string, (selector: Json) => SelectorTerms])[]
const RESERVED_TAG =
  /^(karpenter\.sh\/(nodepool|nodeclaim|provisioner-name|managed-by)|karpenter\.k8s\.aws\/ec2nodeclass|eks:eks-cluster-name|kubernetes\.io\/cluster.*)$/
/** The default in v1beta1 and older. The default in v1 is 1. */
const OLD_HOP_LIMIT = 2
const UBUNTU_ROOT = {
  deviceName: '/dev/sda1',
  rootVolume: true,
  ebs: { encrypted: true, volumeType: 'gp3', volumeSize: '20Gi' },
}

/** The minor version of the last Kubernetes release for which AL2 images exist. */
const LAST_MINOR_WITH_AL2 = 32

/** Returns the default image family of a template that sets none: AL2 if AL2 images exist for the cluster's version. */
const defaultFamily = (kubernetesVersion: string | undefined): { readonly family: string; readonly note: string } => {
  const minor = Number(/^v?1\.(\d+)/.exec(kubernetesVersion ?? '')?.[1] ?? Number.NaN)
  if (!(minor > LAST_MINOR_WITH_AL2)) return { family: 'AL2', note: 'AL2 was the default' }
  return { family: 'AL2023', note: `AL2 was the default, which has no images for Kubernetes 1.${minor}` }
}

const convertTags = ({ spec, path, reporter, target }: TemplateInput): Json => {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(recordOrEmpty(spec['tags']))) {
    if (RESERVED_TAG.test(key)) {
      reporter.record(`${path}.tags.${key}`, 'gone', undefined, 'reserved: the controller sets its own')
      continue
    }
    setOwnValue(kept, key, value)
    reporter.record(`${path}.tags.${key}`, 'kept', `${target} spec.tags`)
  }
  return Object.keys(kept).length === 0 ? {} : { tags: kept }
}

/** Converts the family and the images together: without a selector, v1 requires the alias of the family. */
const convertImages = (input: TemplateInput, terms: readonly unknown[] | undefined): Json => {
  const { spec, path, reporter, target } = input
  const given = spec['amiFamily']
  const fallback = defaultFamily(input.kubernetesVersion)
  const family = typeof given === 'string' && given !== '' ? given : fallback.family
  const to = `${target} spec.amiFamily`
  if (given === undefined) reporter.record(`${path}.amiFamily`, 'added', to, fallback.note)
  if (family === 'Ubuntu') {
    reporter.record(
      `${path}.amiFamily`,
      'changed',
      to,
      terms === undefined
        ? 'v1 has no Ubuntu family: select your Ubuntu images with amiSelectorTerms; they start like AL2'
        : 'v1 has no Ubuntu family: the images start like AL2, with the root volume of Ubuntu',
    )
    const volumes = spec['blockDeviceMappings'] === undefined ? { blockDeviceMappings: [UBUNTU_ROOT] } : {}
    return { amiFamily: 'AL2', ...volumes, ...(terms === undefined ? {} : { amiSelectorTerms: terms }) }
  }
  if (given !== undefined) reporter.record(`${path}.amiFamily`, 'kept', to)
  if (terms !== undefined || family === 'Custom')
    return { amiFamily: family, ...(terms === undefined ? {} : { amiSelectorTerms: terms }) }
  const alias = `${family.toLowerCase()}@latest`
  reporter.record(
    `${path}.amiSelectorTerms`,
    'added',
    `${target} spec.amiSelectorTerms`,
    `${alias}: the newest image, as before; name a version to stay on it${family === 'AL2' ? '. AL2 ends with Kubernetes 1.32' : ''}`,
  )
  return { amiFamily: family, amiSelectorTerms: [{ alias }] }
}

/** Returns the spec of an EC2NodeClass from an AWSNodeTemplate, a Provisioner's `provider`, or a v1beta1 EC2NodeClass. */
export const convertNodeClassSpec = (input: TemplateInput): Json => {
  const { spec, path, reporter, target } = input
  const { instanceProfile } = input.classDefaults
  const next: Record<string, unknown> = {}
  for (const field of SAME) {
    if (spec[field] === undefined) continue
    next[field] = spec[field]
    reporter.record(`${path}.${field}`, 'kept', `${target} spec.${field}`)
  }
  let images = spec['amiSelectorTerms'] === undefined ? undefined : (spec['amiSelectorTerms'] as readonly unknown[])
  if (images !== undefined) reporter.record(`${path}.amiSelectorTerms`, 'kept', `${target} spec.amiSelectorTerms`)
  for (const [old, name, convert] of OLD_SELECTORS) {
    if (spec[old] === undefined) continue
    const { terms, note } = convert(recordOrEmpty(spec[old]))
    reporter.record(`${path}.${old}`, note === undefined ? 'renamed' : 'changed', `${target} spec.${name}`, note)
    if (name === 'amiSelectorTerms') images = terms
    else next[name] = terms
  }
  for (const [field, value] of Object.entries({ ...convertImages(input, images), ...convertTags(input) }))
    setOwnValue(next, field, value)
  if (next['role'] === undefined && next['instanceProfile'] === undefined && instanceProfile !== undefined) {
    next['instanceProfile'] = instanceProfile
    reporter.record(`${path}.instanceProfile`, 'added', `${target} spec.instanceProfile`, 'from the old settings')
  }
  const options = recordOrEmpty(spec['metadataOptions'])
  for (const field of Object.keys(options))
    reporter.record(`${path}.metadataOptions.${field}`, 'kept', `${target} spec.metadataOptions.${field}`)
  next['metadataOptions'] = { httpPutResponseHopLimit: OLD_HOP_LIMIT, ...options }
  if (options['httpPutResponseHopLimit'] === undefined)
    reporter.record(
      `${path}.metadataOptions.httpPutResponseHopLimit`,
      'added',
      `${target} spec.metadataOptions.httpPutResponseHopLimit`,
      '2 was the default, and is 1 in v1',
    )
  for (const field of ['launchTemplate', 'launchTemplateName']) {
    if (ownValue(spec, field) !== undefined)
      reporter.record(
        `${path}.${field}`,
        'gone',
        undefined,
        'v1 creates its own launch templates: move image, user data, security groups and volumes into the EC2NodeClass',
      )
  }
  for (const field of ['apiVersion', 'kind'])
    if (path !== 'spec' && ownValue(spec, field) !== undefined)
      reporter.record(`${path}.${field}`, 'gone', undefined, 'not needed')
  return next
}
