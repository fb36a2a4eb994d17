import type { Taint } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import type { Question, ReadGroup, SourceGroup } from '@kerf/provider-contract'
import { asNumber, asText, asTextMap, asTexts, isLoose, type Loose, looseAt } from '@kerf/provider-kit/documents'
import {
  desiredSize,
  type FieldRule,
  type FieldRules,
  fieldConversion,
  fieldConversions,
  largestSize,
  leastSize,
  present,
  stateFields,
} from '@kerf/provider-kit/migration'
import type { AKSNodeClassSpec } from '../node-class/aks-node-class.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

const classField = (field: string): FieldRule => ({ to: `AKSNodeClass spec.${field}` })
const NOT_IN_CLASS: FieldRule = { because: 'an AKSNodeClass has no such field' }
const onlyIf = (isMeant: (value: unknown) => boolean, rule: FieldRule) => (value: unknown) =>
  isMeant(value) ? rule : undefined
const isTrue = (value: unknown): boolean => value === true

/**
 * How the migration handles the fields of a node pool, by REST API name in lower case. The Azure CLI writes the names in another case
 * (https://learn.microsoft.com/rest/api/aks/agent-pools).
 */
const rules: FieldRules = {
  ...stateFields('id name type resourcegroup etag provisioningstate powerstate status'),
  ...stateFields(`
    currentorchestratorversion creationdata systemdata typepropertiestype nodeimageversion`),
  orchestratorversion: { because: 'nodes of Kerf have the version of the control plane' },
  count: desiredSize,
  mincount: leastSize,
  maxcount: largestSize,
  enableautoscaling: { to: 'NodePool', because: 'a NodePool grows and shrinks by itself' },
  vmsize: { to: 'NodePool requirement node.kubernetes.io/instance-type' },
  scalesetpriority: { to: 'NodePool requirement karpenter.sh/capacity-type' },
  scalesetevictionpolicy: onlyIf((value) => value === 'Deallocate', {
    because: 'a VM of Kerf that is evicted is deleted',
  }),
  spotmaxprice: onlyIf((value) => asNumber(value) !== -1, { because: 'Kerf pays up to the price on demand' }),
  availabilityzones: { to: 'NodePool requirement topology.kubernetes.io/zone' },
  nodelabels: { to: 'NodePool spec.template.metadata.labels' },
  nodetaints: { to: 'NodePool spec.template.spec.taints' },
  nodeinitializationtaints: { to: 'NodePool spec.template.spec.startupTaints' },
  mode: onlyIf((value) => value === 'System', { because: 'a system pool stays: AKS needs one' }),
  ostype: onlyIf((value) => value === 'Windows', { because: 'Kerf launches no Windows nodes on Azure' }),
  ossku: classField('imageFamily'),
  osdisksizegb: onlyIf((value) => asNumber(value) !== 0, classField('osDiskSizeGB')),
  osdisktype: { because: 'the disk is ephemeral where one of that size fits into the VM' },
  maxpods: classField('maxPods'),
  vnetsubnetid: classField('vnetSubnetID'),
  podsubnetid: NOT_IN_CLASS,
  enableencryptionathost: onlyIf(isTrue, classField('security.encryptionAtHost')),
  enablefips: onlyIf(isTrue, classField('fipsMode')),
  enableultrassd: onlyIf(isTrue, {
    to: 'NodePool',
    because: 'pods that need Ultra SSD ask for karpenter.azure.com/sku-storage-ultra-ssd',
  }),
  enablenodepublicip: onlyIf(isTrue, NOT_IN_CLASS),
  securityprofile: { to: 'AKSNodeClass spec.security.trustedLaunch', because: 'its vTPM and secure boot' },
  gpuprofile: classField('gpu.mode'),
  artifactstreamingprofile: classField('artifactStreaming.enabled'),
  kubeletconfig: { to: 'AKSNodeClass spec.kubelet', because: 'see its parts' },
  linuxosconfig: {
    because: 'VMs that Kerf creates do not get it; only machines of a pool do (PROVISION_MODE=aksmachineapi)',
  },
  tags: { to: 'AKSNodeClass spec.tags' },
  upgradesettings: { to: 'NodePool budget for Drifted', because: 'maxUnavailable; a replacement always comes first' },
  scaledownmode: onlyIf((value) => value === 'Deallocate', { because: 'nodes of Kerf are deleted, not deallocated' }),
  kubeletdisktype: onlyIf((value) => value !== 'OS', NOT_IN_CLASS),
  workloadruntime: onlyIf((value) => value !== 'OCIContainer', NOT_IN_CLASS),
}

const kubeletRules: FieldRules = {
  cpumanagerpolicy: classField('kubelet.cpuManagerPolicy'),
  cpucfsquota: classField('kubelet.cpuCFSQuota'),
  cpucfsquotaperiod: classField('kubelet.cpuCFSQuotaPeriod'),
  imagegchighthreshold: classField('kubelet.imageGCHighThresholdPercent'),
  imagegclowthreshold: classField('kubelet.imageGCLowThresholdPercent'),
  topologymanagerpolicy: classField('kubelet.topologyManagerPolicy'),
  allowedunsafesysctls: classField('kubelet.allowedUnsafeSysctls'),
  containerlogmaxsizemb: classField('kubelet.containerLogMaxSize'),
  containerlogmaxfiles: classField('kubelet.containerLogMaxFiles'),
  podmaxpids: classField('kubelet.podPidsLimit'),
  failswapon: classField('kubelet.failSwapOn'),
}

/** Returns the fields by name in lower case, including the fields of `properties`. */
const lowerCaseFields = (source: Loose): Loose => {
  const { properties, ...rest } = source
  const all = { ...rest, ...(isLoose(properties) ? properties : {}) }
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Parses a taint in the form of AKS, `key=value:Effect`. */
const parseTaint = (text: string): Taint | undefined => {
  const [, key, value = '', effect] = /^([^=:]+)(?:=([^:]*))?:(NoSchedule|NoExecute|PreferNoSchedule)$/.exec(text) ?? []
  if (key === undefined || effect === undefined) return undefined
  return { key, ...(value === '' ? {} : { value }), effect: effect as Taint['effect'] }
}

const FAMILIES: Readonly<Record<string, NonNullable<AKSNodeClassSpec['imageFamily']>>> = {
  ubuntu: 'Ubuntu',
  ubuntu2204: 'Ubuntu2204',
  ubuntu2404: 'Ubuntu2404',
  azurelinux: 'AzureLinux',
  azurelinux3: 'AzureLinux',
  cblmariner: 'AzureLinux',
  mariner: 'AzureLinux',
}

const booleanIn = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

const readKubelet = (config: Loose): AKSNodeClassSpec['kubelet'] => {
  const logSize = asNumber(config['containerlogmaxsizemb'])
  const sysctls = asTexts(config['allowedunsafesysctls'])
  const kubelet = present({
    cpuManagerPolicy: asText(config['cpumanagerpolicy']),
    cpuCFSQuota: booleanIn(config['cpucfsquota']),
    cpuCFSQuotaPeriod: asText(config['cpucfsquotaperiod']),
    imageGCHighThresholdPercent: asNumber(config['imagegchighthreshold']),
    imageGCLowThresholdPercent: asNumber(config['imagegclowthreshold']),
    topologyManagerPolicy: asText(config['topologymanagerpolicy']),
    allowedUnsafeSysctls: sysctls.length === 0 ? undefined : sysctls,
    containerLogMaxSize: logSize === undefined ? undefined : `${logSize}Mi`,
    containerLogMaxFiles: asNumber(config['containerlogmaxfiles']),
    podPidsLimit: asNumber(config['podmaxpids']),
    failSwapOn: booleanIn(config['failswapon']),
  })
  // The CRD validates the values.
  return Object.keys(kubelet).length === 0 ? undefined : (kubelet as AKSNodeClassSpec['kubelet'])
}

const readSpec = (fields: Loose): AKSNodeClassSpec => {
  const spec: Mutable<AKSNodeClassSpec> = {}
  const family = ownValue(FAMILIES, (asText(fields['ossku']) ?? '').toLowerCase())
  if (family !== undefined) spec.imageFamily = family
  const subnet = asText(fields['vnetsubnetid'])
  if (subnet !== undefined) spec.vnetSubnetID = subnet
  const disk = asNumber(fields['osdisksizegb'])
  if (disk !== undefined && disk > 0) spec.osDiskSizeGB = disk
  const maxPods = asNumber(fields['maxpods'])
  if (maxPods !== undefined && maxPods > 0) spec.maxPods = maxPods
  if (fields['enablefips'] === true) spec.fipsMode = 'FIPS'
  const security = lowered(fields['securityprofile'])
  const trusted = present({
    vtpm: security['enablevtpm'] === true ? true : undefined,
    secureBoot: security['enablesecureboot'] === true ? true : undefined,
  })
  const isTrusted = Object.keys(trusted).length > 0
  if (isTrusted || fields['enableencryptionathost'] === true)
    spec.security = {
      ...(fields['enableencryptionathost'] === true ? { encryptionAtHost: true } : {}),
      ...(isTrusted ? { trustedLaunch: trusted } : {}),
    }
  if (lowered(fields['gpuprofile'])['driver'] === 'None') spec.gpu = { mode: 'None' }
  if (lowered(fields['artifactstreamingprofile'])['enabled'] === true) spec.artifactStreaming = { enabled: true }
  const kubelet = readKubelet(lowered(fields['kubeletconfig']))
  if (kubelet !== undefined) spec.kubelet = kubelet
  const tags = asTextMap(fields['tags'])
  if (Object.keys(tags).length > 0) spec.tags = tags
  return spec
}

const lowered = (value: unknown): Loose =>
  Object.fromEntries(Object.entries(isLoose(value) ? value : {}).map(([name, each]) => [name.toLowerCase(), each]))

const POOL_ID =
  /\/resourceGroups\/([^/]+)\/providers\/Microsoft\.ContainerService\/managedClusters\/([^/]+)\/agentPools\//i

/** Facts about a node pool's cluster that the pool's own export does not contain. */
export interface AksCluster {
  readonly name?: string
  readonly resourceGroup?: string
  readonly location?: string
}

/** The facts about a node pool's cluster, and the launch settings of the pool's nodes. */
export interface AksLaunch extends AksCluster {
  readonly spec: AKSNodeClassSpec
}

const readZones = (fields: Loose, { location }: AksCluster): readonly string[] =>
  location === undefined ? [] : asTexts(fields['availabilityzones']).map((zone) => `${location.toLowerCase()}-${zone}`)

const poolQuestions = (object: string, fields: Loose, cluster: AksCluster): readonly Question[] => [
  ...(asTexts(fields['availabilityzones']).length > 0 && cluster.location === undefined
    ? [
        {
          object,
          message:
            'in which location is it? Its zones are left out; give what az aks show --output json prints instead',
        },
      ]
    : []),
  ...(fields['ostype'] === 'Windows'
    ? [{ object, message: 'its nodes are Windows, which Kerf does not launch on Azure: keep it with --keep' }]
    : []),
]

/** Reads an AKS node pool: an entry of `az aks nodepool list`, a pool of `az aks show`, or a pool of the REST API. */
export const readAksPool = (source: Loose, at: string, given: AksCluster = {}): ReadGroup<AksLaunch> => {
  const fields = lowerCaseFields(source)
  const name = asText(source['name']) ?? ''
  const object = `AKS node pool ${name}`
  const [, idGroup, idCluster] = POOL_ID.exec(asText(source['id']) ?? '') ?? []
  const cluster: AksCluster = present({
    name: given.name ?? idCluster,
    resourceGroup: given.resourceGroup ?? idGroup ?? asText(source['resourceGroup']),
    location: given.location,
  })
  const count = asNumber(fields['count']) ?? 0
  const isScaled = fields['enableautoscaling'] === true
  const taints = asTexts(fields['nodetaints'])
  const unread = taints.filter((text) => parseTaint(text) === undefined)
  const most = asText(looseAt(lowered(fields['upgradesettings']), 'maxunavailable'))
  const group: SourceGroup<AksLaunch> = {
    ...{ name, at, origin: 'AKS node pool', desired: count },
    min: isScaled ? (asNumber(fields['mincount']) ?? 0) : count,
    max: isScaled ? (asNumber(fields['maxcount']) ?? count) : count,
    instanceTypes: asText(fields['vmsize']) === undefined ? [] : [String(fields['vmsize'])],
    capacityTypes: fields['scalesetpriority'] === 'Spot' ? ['spot'] : ['on-demand'],
    zones: readZones(fields, cluster),
    labels: asTextMap(fields['nodelabels']),
    taints: taints.flatMap((text) => parseTaint(text) ?? []),
    startupTaints: asTexts(fields['nodeinitializationtaints']).flatMap((text) => parseTaint(text) ?? []),
    options: {},
    launch: { ...cluster, spec: readSpec(fields) },
    nodeLabels: { 'kubernetes.azure.com/agentpool': name },
    // AKS runs its own pods in system pools, and does not allow the last system pool to be deleted.
    ...(fields['mode'] === 'System' ? { keptBecause: 'it is a system pool of AKS' } : {}),
    ...(most === undefined || most === '0' ? {} : { maxUnavailable: most }),
  }
  return {
    group,
    questions: poolQuestions(object, fields, cluster),
    conversions: [
      ...fieldConversions(object, fields, rules),
      ...fieldConversions(object, lowered(fields['kubeletconfig']), kubeletRules, 'kubeletconfig.'),
      ...unread.map((text) =>
        fieldConversion(object, `taint ${text}`, { because: 'it is not a taint of the form key=value:Effect' }),
      ),
    ],
  }
}
