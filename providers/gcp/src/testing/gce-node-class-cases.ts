import {
  accepted,
  CASE_NAME,
  type ConformanceCase,
  caseTable,
  conditionCases,
  long,
  many,
  refused,
  type Table,
} from '@kerf/apis/conformance'
import { gceNodeClassResource } from '../node-class/gce-node-class.ts'

const ACCOUNTS = ['nodes@demo.iam.gserviceaccount.com', '1234-compute@developer.gserviceaccount.com']
const NO_ACCOUNTS = ['', 'nodes', '@demo.iam.gserviceaccount.com', 'nodes@example.com', 'a@b@c.iam.gserviceaccount.com']
const NAMES = ['a', 'a-1', long(63)]
const NO_NAMES = ['', 'A', '1a', 'a-', 'a_b', long(64)]
const KEY = 'projects/p/locations/europe-west1/keyRings/r/cryptoKeys/k'

/** Returns the fields that have a value. */
const present = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const plainFieldCases = (table: Table): void => {
  table.acceptsEach('spec/serviceAccount', ACCOUNTS)
  table.refusesEach('spec/serviceAccount', NO_ACCOUNTS, 'spec.serviceAccount')
  table.acceptsEach('spec/imageFamily', ['Ubuntu', 'ContainerOptimizedOS'])
  table.refusesEach('spec/imageFamily', ['', 'Ubuntu2404', 'Custom'], 'spec.imageFamily')
  table.acceptsEach('spec/subnetRangeName', NAMES)
  table.refusesEach('spec/subnetRangeName', NO_NAMES, 'spec.subnetRangeName')
  table.acceptsEach('spec/confidentialInstanceType', ['SEV', 'SEV_SNP', 'TDX'])
  table.refusesEach('spec/confidentialInstanceType', ['', 'sev'], 'spec.confidentialInstanceType')
  table.acceptsEach('spec/autoGPUTaint', [true, false])
  table.acceptsEach('spec/gpuDriverVersion', ['default', 'latest', 'disabled'])
  table.refusesEach('spec/gpuDriverVersion', ['', 'none'], 'spec.gpuDriverVersion')
  table.acceptsEach('spec/networkTags', [[], ['a', 'a'], many(20, (index) => `a${index}`)])
  table.refuses('21 network tags', { 'spec/networkTags': many(21, (index) => `a${index}`) }, 'spec.networkTags')
  for (const tag of NO_NAMES)
    table.refuses(`the network tag ${tag.slice(0, 5)}`, { 'spec/networkTags': [tag] }, 'spec.networkTags[0]')
  table.acceptsEach('spec/shieldedInstanceConfig', [{}, { enableVtpm: false, enableSecureBoot: true }])
  table.refuses(
    'a virtual TPM that is a text',
    { 'spec/shieldedInstanceConfig/enableVtpm': 'true' },
    'spec.shieldedInstanceConfig.enableVtpm',
  )
}

const networkCases = (table: Table): void => {
  const PATH = 'spec/networkConfig/additionalNetworkInterfaces'
  table.acceptsEach('spec/networkConfig', [{}, { enablePrivateNodes: false }, { subnetwork: '' }])
  table.acceptsEach(PATH, [[], [{ subnetwork: 'a' }], many(7, () => ({ network: 'n', subnetwork: 'a' }))])
  table.refuses(
    'eight additional interfaces',
    { [PATH]: many(8, () => ({ subnetwork: 'a' })) },
    'spec.networkConfig.additionalNetworkInterfaces',
  )
  for (const item of [{ network: 'n' }, { subnetwork: '' }])
    table.refuses(
      `the interface ${JSON.stringify(item)}`,
      { [PATH]: [item] },
      'spec.networkConfig.additionalNetworkInterfaces[0].subnetwork',
    )
}

const labelCases = (table: Table): void => {
  table.acceptsEach('spec/labels', [{}, { team: 'a' }, { 'kubernetes.io': 'a', 'Not/for GCE': '' }])
  table.accepts('20 labels', {
    'spec/labels': Object.fromEntries(many(20, (index) => [`a${index}`, 'b'])),
  })
  table.refuses(
    '21 labels',
    { 'spec/labels': Object.fromEntries(many(21, (index) => [`a${index}`, 'b'])) },
    'spec.labels',
  )
  for (const key of [
    '',
    'gce:gce-cluster-name',
    'kubernetes.io/cluster',
    'kubernetes.io/clusterx',
    'karpenter.sh/nodepool',
    'karpenter.sh/nodeclaim',
    'karpenter.k8s.gcp/gcenodeclass',
  ])
    table.refuses(`the label ${JSON.stringify(key)}`, { 'spec/labels': { [key]: 'a' } }, 'spec.labels')
  table.accepts('metadata', {
    'spec/metadata': { 'disable-legacy-endpoints': 'false', 'serial-port-logging-enable': 'true', own: long(1000) },
  })
  for (const key of ['kube-env', 'user-data', 'startup-script', 'enable-os-login', 'kubelet-config', 'cluster-uid'])
    table.refuses(`the metadata ${key}`, { 'spec/metadata': { [key]: '' } }, 'spec.metadata')
}

const diskCases = (table: Table): void => {
  const disks = 'spec/disks'
  table.acceptsEach(disks, [[], [{}], [{ boot: true }, { boot: true }], many(10, () => ({ sizeGiB: 10 }))])
  table.refuses('eleven disks', { [disks]: many(11, () => ({})) }, 'spec.disks')
  table.refuses('a disk of 9 GiB', { [disks]: [{ sizeGiB: 9 }] }, 'spec.disks[0].sizeGiB')
  table.refuses('a disk of 0 GiB', { [disks]: [{ sizeGiB: 0 }] }, 'spec.disks[0].sizeGiB')
  table.refuses('a category that does not exist', { [disks]: [{ category: 'pd-fast' }] }, 'spec.disks[0].category')
  table.accepts('a local SSD', { [disks]: [{ category: 'local-ssd', sizeGiB: 375 }] })
  for (const kmsKeyName of [KEY, `${KEY}/cryptoKeyVersions/1`])
    table.accepts(`the key ${kmsKeyName}`, { [disks]: [{ kmsKeyName }] })
  for (const kmsKeyName of ['', `${KEY}/`, KEY.replace('/k', '/'), KEY.replace('projects/', '')])
    table.refuses(`the key ${kmsKeyName}`, { [disks]: [{ kmsKeyName }] }, 'spec.disks[0].kmsKeyName')
  table.refuses(
    'the account of a key',
    { [disks]: [{ kmsKeyServiceAccount: 'a' }] },
    'spec.disks[0].kmsKeyServiceAccount',
  )
  for (const secondaryBootMode of ['MODE_UNSPECIFIED', 'CONTAINER_IMAGE_CACHE'])
    table.accepts(`the mode ${secondaryBootMode}`, { [disks]: [{ secondaryBootImage: 'i', secondaryBootMode }] })
  table.refuses('the mode CACHE', { [disks]: [{ secondaryBootMode: 'CACHE' }] }, 'spec.disks[0].secondaryBootMode')
}

const performanceCases = (table: Table): void => {
  const both = { provisionedIOPS: 3000, provisionedThroughput: 140 }
  const accepts = (disk: object) => table.accepts(`the disk ${JSON.stringify(disk)}`, { 'spec/disks': [disk] })
  const refuses = (disk: object) =>
    table.refuses(`the disk ${JSON.stringify(disk)}`, { 'spec/disks': [disk] }, 'spec.disks[0]')
  for (const category of ['hyperdisk-balanced', 'hyperdisk-balanced-high-availability']) {
    accepts({ category })
    accepts({ category, ...both })
    refuses({ category, provisionedIOPS: 3000 })
    refuses({ category, provisionedThroughput: 140 })
  }
  for (const category of ['pd-extreme', 'hyperdisk-extreme']) {
    accepts({ category, provisionedIOPS: 3000 })
    refuses({ category, provisionedThroughput: 140 })
  }
  for (const category of ['hyperdisk-throughput', 'hyperdisk-ml']) {
    accepts({ category, provisionedThroughput: 140 })
    refuses({ category, provisionedIOPS: 3000 })
  }
  for (const category of ['pd-balanced', 'local-ssd', undefined]) {
    refuses(present({ category, provisionedIOPS: 3000 }))
    refuses(present({ category, provisionedThroughput: 140 }))
  }
}

const termCases = (table: Table): void => {
  const cos = (rest: object) => ({ family: 'ContainerOptimizedOS', ...rest })
  const LATEST = cos({ version: 'latest' })
  const accepts = (...terms: readonly object[]) =>
    table.accepts(`the terms ${JSON.stringify(terms)}`, { 'spec/imageSelectorTerms': terms })
  const refuses = (term: object, field = '') =>
    table.refuses(
      `the term ${JSON.stringify(term)}`,
      { 'spec/imageSelectorTerms': [term] },
      `spec.imageSelectorTerms[0]${field}`,
    )
  for (const version of ['latest', '125.19216.104.126']) {
    accepts(cos({ version }))
    accepts({ alias: `ContainerOptimizedOS@${version}` })
  }
  for (const version of ['latest', 'v20260416']) {
    accepts({ family: 'Ubuntu2404', version }, { family: 'Ubuntu2204', version })
    accepts({ alias: `Ubuntu@${version}` })
  }
  for (const channel of ['rapid', 'regular', 'stable', 'extended', 'cluster']) accepts(cos({ channel }))
  accepts({ id: 'projects/p/global/images/i' }, { id: '' }, { alias: 'Ubuntu@latest' }, LATEST)
  accepts(cos({ channel: 'stable' }), { alias: 'ContainerOptimizedOS@latest' })
  for (const version of ['', 'v20260416', '125.1.2', '125.1.2.3.4']) refuses(cos({ version }))
  for (const version of ['', 'v2026', '125.19216.104.126', 'v20260416a']) refuses({ family: 'Ubuntu2204', version })
  for (const alias of ['ContainerOptimizedOS@v20260416', 'Ubuntu@125.1.2.3', 'Ubuntu', 'Debian@latest', 'Ubuntu@', ''])
    refuses({ alias }, '.alias')
  refuses({ alias: `Ubuntu@${long(60)}` }, '.alias')
  refuses({ id: long(161) }, '.id')
  refuses({ id: 'a\nb' }, '.id')
  refuses({ family: 'Ubuntu', version: 'latest' }, '.family')
  refuses(cos({ channel: 'weekly' }), '.channel')
  refuses(cos({ version: long(33) }), '.version')
  table.refuses(
    'a term without fields',
    { 'spec/imageSelectorTerms': [{}] },
    'spec.imageSelectorTerms',
    'spec.imageSelectorTerms[0]',
  )
  refuses(cos({}))
  refuses(cos({ channel: 'stable', version: '125.19216.104.126' }))
  refuses({ family: 'Ubuntu2404', channel: 'stable' })
  refuses({ id: 'a', alias: 'Ubuntu@latest' })
  refuses({ id: 'a', version: 'latest' })
  refuses({ id: '', family: 'Ubuntu2404', version: 'latest' })
  const list = 'spec/imageSelectorTerms'
  table.refuses('no terms', { [list]: undefined }, 'spec.imageSelectorTerms')
  table.refuses('an empty list of terms', { [list]: [] }, 'spec.imageSelectorTerms')
  table.refuses('31 terms', { [list]: many(31, () => LATEST) }, 'spec.imageSelectorTerms')
  table.refuses(
    'a channel together with the latest version',
    { [list]: [cos({ channel: 'stable' }), LATEST] },
    'spec.imageSelectorTerms',
  )
}

const KUBELET = 'spec/kubeletConfiguration'

const kubeletCases = (table: Table): void => {
  table.acceptsEach(KUBELET, [{}, { clusterDNS: [] }, { clusterDNS: ['10.0.0.10', 'no address'] }])
  for (const field of ['maxPods', 'podsPerCore']) {
    table.acceptsEach(`${KUBELET}/${field}`, [0, 110, 1000])
    table.refusesEach(`${KUBELET}/${field}`, [-1, '110', 1.5], `spec.kubeletConfiguration.${field}`)
  }
  for (const field of ['imageGCHighThresholdPercent', 'imageGCLowThresholdPercent']) {
    table.acceptsEach(`${KUBELET}/${field}`, [0, 100])
    table.refusesEach(`${KUBELET}/${field}`, [-1, 101], `spec.kubeletConfiguration.${field}`)
  }
  const both = (high: number, low: number) => ({
    [KUBELET]: { imageGCHighThresholdPercent: high, imageGCLowThresholdPercent: low },
  })
  table.accepts('a high threshold above the low one', both(81, 80))
  table.refuses('equal thresholds', both(80, 80), 'spec.kubeletConfiguration')
  table.acceptsEach(`${KUBELET}/cpuCFSQuota`, [true, false])
  table.acceptsEach(`${KUBELET}/evictionMaxPodGracePeriod`, [-1, 0, 60])
  for (const field of ['systemReserved', 'kubeReserved']) {
    const path = `${KUBELET}/${field}`
    const where = `spec.kubeletConfiguration.${field}`
    table.acceptsEach(path, [
      {},
      { cpu: '100m', memory: '1Gi', 'ephemeral-storage': '1e3', pid: '+5' },
      { cpu: '1e1.5' },
    ])
    table.refusesEach(path, [{ gpu: '1' }, { cpu: '-1' }, { cpu: '' }, { cpu: '1 Gi' }, { memory: '5%' }], where)
    table.refuses(`${field} of 65 characters`, { [path]: { cpu: long(65, '1') } }, `${where}.cpu`)
  }
}

const evictionCases = (table: Table): void => {
  const path = `${KUBELET}/evictionHard`
  const where = 'spec.kubeletConfiguration.evictionHard'
  table.acceptsEach(path, [{}, { 'nodefs.inodesFree': '5%', 'pid.available': '10.25%', 'imagefs.available': '1Gi' }])
  for (const value of ['-1', '100%', '100.0%', '100.00%', '99.99%', '0'])
    table.accepts(`the threshold ${value}`, { [path]: { 'memory.available': value } })
  for (const value of ['+5%', '5.255%', '101%', '%', '', 'much'])
    table.refuses(`the threshold ${value}`, { [path]: { 'memory.available': value } }, where)
  table.refuses('a signal that does not exist', { [path]: { 'swap.available': '1' } }, where)
  table.refuses(
    'a threshold of 65 characters',
    { [path]: { 'memory.available': long(65, '1') } },
    `${where}.memory.available`,
  )
  const soft = (evictionSoft: unknown, evictionSoftGracePeriod: unknown) => ({
    [KUBELET]: present({ evictionSoft, evictionSoftGracePeriod }),
  })
  const A = { 'memory.available': '5%' }
  table.accepts('a soft threshold with a grace period', soft(A, { 'memory.available': '1m' }))
  table.accepts('a grace period that is no duration', soft(A, { 'memory.available': 'soon' }))
  table.accepts('empty soft thresholds alone', soft({}, undefined))
  for (const [thresholds, periods] of [
    [A, undefined],
    [undefined, { 'memory.available': '1m' }],
    [A, {}],
    [A, { 'nodefs.available': '1m' }],
  ])
    table.refuses(
      `the soft thresholds ${JSON.stringify(thresholds)} with the grace periods ${JSON.stringify(periods)}`,
      soft(thresholds, periods),
      'spec.kubeletConfiguration',
    )
  table.refuses(
    'a grace period of another signal',
    soft(undefined, { 'swap.available': '1m' }),
    'spec.kubeletConfiguration',
    'spec.kubeletConfiguration.evictionSoftGracePeriod',
  )
}

const statusCases = (table: Table): void => {
  const status = (fields: Readonly<Record<string, unknown>>) => ({ status: fields })
  const image = {
    sourceImage: 'projects/gke-node-images/global/images/gke-1351-cos',
    requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }],
  }
  table.updateStatus('images', {}, status({ images: [image, image] }), accepted({ 'status.images': [image, image] }))
  for (const field of ['sourceImage', 'requirements'])
    table.updateStatus(
      `an image without ${field}`,
      {},
      status({ images: [present({ ...image, [field]: undefined })] }),
      refused(`status.images[0].${field}`),
    )
}

/**
 * Returns cases that the CRD of cloudpilot-ai/karpenter-provider-gcp 417f047b accepts or rejects
 * (`providers/gcp/docs/spec/gcp.md#api-object-gcenodeclass`).
 */
export const gceNodeClassCases = (): readonly ConformanceCase[] => {
  const table = caseTable(gceNodeClassResource.kind, {
    apiVersion: 'karpenter.k8s.gcp/v1alpha1',
    kind: 'GCENodeClass',
    metadata: { name: CASE_NAME },
    spec: { imageSelectorTerms: [{ family: 'ContainerOptimizedOS', version: 'latest' }] },
  })
  table.accepts('the least', {}, { 'spec.gpuDriverVersion': 'default', status: undefined })
  table.accepts('no spec', { spec: undefined }, { spec: undefined })
  table.refusesEach('spec', ['', [], 1], 'spec')
  plainFieldCases(table)
  networkCases(table)
  labelCases(table)
  diskCases(table)
  performanceCases(table)
  termCases(table)
  kubeletCases(table)
  evictionCases(table)
  statusCases(table)
  table.update('an edit', {}, { 'spec/autoGPUTaint': true }, accepted({ 'spec.autoGPUTaint': true }))
  table.update('a bad edit', {}, { 'spec/disks': [{ sizeGiB: 1 }] }, refused('spec.disks[0].sizeGiB'))
  conditionCases(table, false)
  return table.cases
}
