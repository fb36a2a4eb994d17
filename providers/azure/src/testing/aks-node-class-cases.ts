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
import { aksNodeClassResource } from '../node-class/aks-node-class.ts'

const SUBNET =
  '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/net.rg-1_(a)/providers/Microsoft.Network/virtualNetworks/vnet/subnets/nodes'

const zone = (name: string, rest: Readonly<Record<string, unknown>> = {}) => ({
  zone: name,
  queryLogging: 'Error',
  protocol: 'PreferUDP',
  forwardDestination: name === 'cluster.local' ? 'ClusterCoreDNS' : 'VnetDNS',
  forwardPolicy: 'Sequential',
  maxConcurrent: 1000,
  cacheDuration: '1h',
  serveStaleDuration: '30m10s',
  serveStale: 'Immediate',
  ...rest,
})
const BOTH = [zone('.'), zone('cluster.local')]
const localDns = (rest: Readonly<Record<string, unknown>> = {}) => ({
  mode: 'Preferred',
  vnetDNSOverrides: BOTH,
  kubeDNSOverrides: BOTH,
  ...rest,
})

const plainFieldCases = (table: Table): void => {
  table.accepts('the ID of a subnet', { 'spec/vnetSubnetID': SUBNET })
  table.accepts('the ID in small letters', { 'spec/vnetSubnetID': SUBNET.toLowerCase() })
  table.accepts('the ID in capitals', { 'spec/vnetSubnetID': SUBNET.toUpperCase() })
  table.refusesEach(
    'spec/vnetSubnetID',
    [
      '',
      'nodes',
      1,
      SUBNET.replace('Microsoft.Network', 'Microsoft.Compute'),
      SUBNET.replace('net.rg-1_(a)', 'net.rg.'),
      SUBNET.replace('net.rg-1_(a)', long(91)),
      `${SUBNET}/`,
      SUBNET.replace('/subnets/nodes', ''),
    ],
    'spec.vnetSubnetID',
  )
  table.accepts('a resource group of 90 characters', {
    'spec/vnetSubnetID': SUBNET.replace('net.rg-1_(a)', long(90)),
  })
  table.acceptsEach('spec/osDiskSizeGB', [30, 2048])
  table.refusesEach('spec/osDiskSizeGB', [29, 2049, '128', 30.5], 'spec.osDiskSizeGB')
  table.acceptsEach('spec/imageFamily', ['Ubuntu', 'Ubuntu2204', 'Ubuntu2404', 'AzureLinux'])
  table.refusesEach('spec/imageFamily', ['', 'ubuntu', 'Ubuntu2004', 'AzureLinux3', 'Windows'], 'spec.imageFamily')
  table.acceptsEach('spec/maxPods', [10, 250])
  table.refusesEach('spec/maxPods', [9, 251], 'spec.maxPods')
  table.acceptsEach('spec/gpu/mode', ['Driver', 'None'])
  table.refusesEach('spec/gpu/mode', ['', 'driver'], 'spec.gpu.mode')
  table.accepts('a gpu without mode', { 'spec/gpu': {} }, { 'spec.gpu.mode': 'Driver' })
  table.acceptsEach('spec/artifactStreaming', [{}, { enabled: true }, { enabled: false }])
  table.refuses(
    'streaming that is a text',
    { 'spec/artifactStreaming/enabled': 'true' },
    'spec.artifactStreaming.enabled',
  )
  table.acceptsEach('spec/security', [{}, { encryptionAtHost: false }, { trustedLaunch: {} }])
  table.accepts('an image ID is not a field', { 'spec/imageID': 'a' }, { 'spec.imageID': undefined })
}

const tagCases = (table: Table): void => {
  table.acceptsEach('spec/tags', [{}, { a: '' }, { 'karpenter.sh/nodepool': 'a' }, { [long(512)]: long(256) }])
  for (const character of ['<', '>', '%', '&', '?', '\\'])
    table.refuses(`a tag with ${character}`, { 'spec/tags': { [`a${character}b`]: 'c' } }, 'spec.tags')
  table.refuses('a key of 513 characters', { 'spec/tags': { [long(513)]: 'a' } }, 'spec.tags')
  table.refuses('a value of 257 characters', { 'spec/tags': { a: long(257) } }, 'spec.tags')
  table.refuses('a value that is a number', { 'spec/tags': { a: 1 } }, 'spec.tags.a')
}

const fipsCases = (table: Table): void => {
  const launches = [undefined, {}, { vtpm: true }, { secureBoot: true }, { vtpm: false, secureBoot: false }]
  for (const imageFamily of ['Ubuntu', 'Ubuntu2204', 'Ubuntu2404', 'AzureLinux']) {
    for (const trustedLaunch of launches) {
      const isTrusted = trustedLaunch?.vtpm === true || trustedLaunch?.secureBoot === true
      const isGood =
        imageFamily === 'Ubuntu' ||
        (imageFamily === 'Ubuntu2204' ? isTrusted : imageFamily === 'AzureLinux' && !isTrusted)
      const name = `FIPS with ${imageFamily} and trusted launch ${JSON.stringify(trustedLaunch) ?? 'absent'}`
      const changes = {
        'spec/imageFamily': imageFamily,
        'spec/fipsMode': 'FIPS',
        ...(trustedLaunch === undefined ? {} : { 'spec/security': { trustedLaunch } }),
      }
      if (isGood) table.accepts(name, changes)
      else table.refuses(name, changes, 'spec')
    }
  }
  table.accepts('FIPS with the default family', { 'spec/fipsMode': 'FIPS' }, { 'spec.imageFamily': 'Ubuntu' })
  table.accepts('no FIPS with Ubuntu2404', { 'spec/fipsMode': 'Disabled', 'spec/imageFamily': 'Ubuntu2404' })
  table.refusesEach('spec/fipsMode', ['', 'fips', true], 'spec.fipsMode')
}

const kubeletCases = (table: Table): void => {
  table.accepts(
    'an empty kubelet gets defaults',
    { 'spec/kubelet': {} },
    {
      'spec.kubelet': {
        cpuManagerPolicy: 'none',
        cpuCFSQuota: true,
        cpuCFSQuotaPeriod: '100ms',
        topologyManagerPolicy: 'none',
        containerLogMaxSize: '50Mi',
        containerLogMaxFiles: 5,
      },
    },
  )
  const one = (field: string, good: readonly unknown[], bad: readonly unknown[]): void => {
    table.acceptsEach(`spec/kubelet/${field}`, good)
    table.refusesEach(`spec/kubelet/${field}`, bad, `spec.kubelet.${field}`)
  }
  one('cpuManagerPolicy', ['none', 'static'], ['', 'Static'])
  one('cpuCFSQuota', [true, false], ['true'])
  one('cpuCFSQuotaPeriod', ['100ms', '0s', 'a while'], [100])
  one('imageGCHighThresholdPercent', [0, 100], [-1, 101])
  one('imageGCLowThresholdPercent', [0, 100], [-1, 101])
  one('topologyManagerPolicy', ['restricted', 'best-effort', 'none', 'single-numa-node'], ['', 'any'])
  one('allowedUnsafeSysctls', [[], ['net.*', 'kernel.msg*']], ['net.*'])
  one('containerLogMaxSize', ['50Mi', '1G', '0K'], ['', '50', '50m', '1.5Gi', '50MiB', ' 1Mi'])
  one('containerLogMaxFiles', [2, 100], [1, '5'])
  one('podPidsLimit', [-1, 0, 4_294_967_296], ['1'])
  one('failSwapOn', [true, false], ['false'])
  table.refuses(
    'a sysctl that is a number',
    { 'spec/kubelet/allowedUnsafeSysctls': [1] },
    'spec.kubelet.allowedUnsafeSysctls[0]',
  )
  const thresholds = (high: number, low: number) => ({
    'spec/kubelet': { imageGCHighThresholdPercent: high, imageGCLowThresholdPercent: low },
  })
  table.accepts('the low threshold below the high one', thresholds(81, 80))
  table.refuses('equal thresholds', thresholds(80, 80), 'spec.kubelet')
  table.refuses('the low threshold above the high one', thresholds(80, 81), 'spec.kubelet')
}

const localDnsCases = (table: Table): void => {
  const dns = (rest: Readonly<Record<string, unknown>> = {}) => ({ 'spec/localDNS': localDns(rest) })
  for (const mode of ['Preferred', 'Required', 'Disabled']) table.accepts(`LocalDNS ${mode}`, dns({ mode }))
  table.refuses('LocalDNS of another mode', dns({ mode: 'On' }), 'spec.localDNS.mode')
  for (const list of ['vnetDNSOverrides', 'kubeDNSOverrides']) {
    const field = `spec.localDNS.${list}`
    const at = (items: readonly unknown[]) => dns({ [list]: items })
    table.refuses(`${list} absent`, dns({ [list]: undefined }), field)
    table.refuses(`${list} without the root`, at([zone('cluster.local')]), field)
    table.refuses(`${list} without cluster.local`, at([zone('.')]), field)
    table.refuses(`${list} empty`, at([]), field)
    table.refuses(`${list} with a zone twice`, at([...BOTH, zone('.')]), `${field}[2]`)
    table.accepts(`${list} with a third zone`, at([...BOTH, zone('corp.example.com.')]))
    table.refuses(`${list} with 101 zones`, at([...BOTH, ...many(99, (index) => zone(`a${index}.example.com`))]), field)
    table.refuses(
      `${list} with cluster.local to VnetDNS`,
      at([zone('.'), zone('cluster.local', { forwardDestination: 'VnetDNS' })]),
      `${field}[1]`,
    )
    table.refuses(
      `${list} with a zone of the cluster to VnetDNS`,
      at([...BOTH, zone('a.cluster.local')]),
      `${field}[2]`,
    )
    table.refuses(
      `${list} that verifies over TCP`,
      at([...BOTH, zone('a.b', { serveStale: 'Verify', protocol: 'ForceTCP' })]),
      `${field}[2]`,
    )
    for (const name of ['a', 'A-b_c.d', 'a.', `${long(63)}.b`])
      table.accepts(`${list} with the zone ${name}`, at([...BOTH, zone(name)]))
    for (const name of ['-a', 'a-', 'a..b', '_a', '*', long(64)])
      table.refuses(`${list} with the zone ${name}`, at([...BOTH, zone(name)]), `${field}[2].zone`)
    const wrong: readonly (readonly [string, unknown])[] = [
      ['queryLogging', 'All'],
      ['protocol', 'UDP'],
      ['forwardDestination', 'CoreDNS'],
      ['forwardPolicy', 'random'],
      ['maxConcurrent', -1],
      ['cacheDuration', '1d'],
      ['serveStaleDuration', '500ms'],
      ['serveStale', 'Enable'],
    ]
    for (const [member, value] of wrong) {
      table.refuses(
        `${list}: ${member} ${value}`,
        at([...BOTH, zone('a.b', { [member]: value })]),
        `${field}[2].${member}`,
      )
      table.refuses(
        `${list}: no ${member}`,
        at([...BOTH, zone('a.b', { [member]: undefined })]),
        `${field}[2].${member}`,
      )
    }
  }
  const toCluster = { forwardDestination: 'ClusterCoreDNS' }
  const rootToCluster = [zone('.', toCluster), zone('cluster.local')]
  table.refuses(
    'vnetDNSOverrides with the root to the cluster',
    dns({ vnetDNSOverrides: rootToCluster }),
    'spec.localDNS.vnetDNSOverrides',
  )
  table.accepts('kubeDNSOverrides with the root to the cluster', dns({ kubeDNSOverrides: rootToCluster }))
  const domainToCluster = [...BOTH, zone('example.com', toCluster)]
  table.refuses(
    'vnetDNSOverrides with a domain to the cluster',
    dns({ vnetDNSOverrides: domainToCluster }),
    'spec.localDNS.vnetDNSOverrides',
  )
  table.accepts('kubeDNSOverrides with a domain to the cluster', dns({ kubeDNSOverrides: domainToCluster }))
}

/** The bounds of each sysctl. */
const BOUNDS: readonly (readonly [string, number, number])[] = [
  ['fsAioMaxNr', 65_536, 6_553_500],
  ['fsFileMax', 8192, 12_000_500],
  ['fsInotifyMaxUserWatches', 781_250, 2_097_152],
  ['fsNrOpen', 8192, 20_000_500],
  ['kernelThreadsMax', 20, 513_785],
  ['netCoreNetdevMaxBacklog', 1000, 3_240_000],
  ['netCoreOptmemMax', 20_480, 4_194_304],
  ['netCoreRmemDefault', 212_992, 134_217_728],
  ['netCoreRmemMax', 212_992, 134_217_728],
  ['netCoreSomaxconn', 4096, 3_240_000],
  ['netCoreWmemDefault', 212_992, 134_217_728],
  ['netCoreWmemMax', 212_992, 134_217_728],
  ['netIPv4NeighDefaultGcThresh1', 128, 80_000],
  ['netIPv4NeighDefaultGcThresh2', 512, 90_000],
  ['netIPv4NeighDefaultGcThresh3', 1024, 100_000],
  ['netIPv4TCPFinTimeout', 5, 120],
  ['netIPv4TCPKeepaliveProbes', 1, 15],
  ['netIPv4TCPKeepaliveTime', 30, 432_000],
  ['netIPv4TCPMaxSynBacklog', 128, 3_240_000],
  ['netIPv4TCPMaxTwBuckets', 8000, 1_440_000],
  ['netIPv4TCPKeepaliveIntvl', 10, 90],
  ['netNetfilterNfConntrackBuckets', 65_536, 524_288],
  ['netNetfilterNfConntrackMax', 131_072, 2_097_152],
  ['vmMaxMapCount', 65_530, 262_144],
  ['vmSwappiness', 0, 100],
  ['vmVfsCachePressure', 0, 100],
]

const linuxCases = (table: Table): void => {
  const AT = 'spec/linuxOSConfig/sysctls'
  const FIELD = 'spec.linuxOSConfig.sysctls'
  for (const [name, low, high] of BOUNDS) {
    table.acceptsEach(`${AT}/${name}`, [low, high])
    table.refusesEach(`${AT}/${name}`, [low - 1, high + 1], `${FIELD}.${name}`)
  }
  for (const [smaller, larger, low, high] of [
    ['netCoreRmemDefault', 'netCoreRmemMax', 212_992, 212_993],
    ['netCoreWmemDefault', 'netCoreWmemMax', 212_992, 212_993],
    ['netIPv4NeighDefaultGcThresh1', 'netIPv4NeighDefaultGcThresh2', 600, 601],
    ['netIPv4NeighDefaultGcThresh2', 'netIPv4NeighDefaultGcThresh3', 2000, 2001],
  ] as const) {
    table.accepts(`${smaller} equal to ${larger}`, { [AT]: { [smaller]: high, [larger]: high } })
    table.refuses(`${smaller} above ${larger}`, { [AT]: { [smaller]: high, [larger]: low } }, FIELD)
  }
  const RANGE = `${AT}/netIPv4IPLocalPortRange`
  table.acceptsEach(RANGE, ['1024 32768', '60999 65535', '60999 60999'])
  table.refusesEach(RANGE, ['1023 32768', '61000 65535', '1024 32767', '1024 65536', '50000 40000'], FIELD)
  // If the pattern fails, the rules of the parent object cannot be evaluated.
  table.refusesEach(RANGE, ['', '1024', '1024-32768', '1024  32768', 'a b'], `${FIELD}.netIPv4IPLocalPortRange`, FIELD)
  table.acceptsEach(`${AT}/netIPv4TCPTwReuse`, [true, false])
  const OS = 'spec/linuxOSConfig'
  table.acceptsEach(`${OS}/transparentHugePageDefrag`, ['always', 'defer', 'defer+madvise', 'madvise', 'never'])
  table.refusesEach(`${OS}/transparentHugePageDefrag`, ['', 'Always'], 'spec.linuxOSConfig.transparentHugePageDefrag')
  table.acceptsEach(`${OS}/transparentHugePageEnabled`, ['always', 'madvise', 'never'])
  table.refusesEach(`${OS}/transparentHugePageEnabled`, ['defer'], 'spec.linuxOSConfig.transparentHugePageEnabled')
  const swap = (kubelet: unknown) => ({ [`${OS}/swapFileSize`]: '1500Mi', 'spec/kubelet': kubelet })
  table.accepts('a swap file that the kubelet admits', swap({ failSwapOn: false }))
  table.refuses('a swap file that the kubelet refuses', swap({ failSwapOn: true }), 'spec')
  table.refuses('a swap file with a kubelet that does not say', swap({}), 'spec')
  table.refuses('a swap file without kubelet', swap(undefined), 'spec')
  table.refuses(
    'a swap file of a size that is none',
    { [`${OS}/swapFileSize`]: '1.5Gi', 'spec/kubelet': { failSwapOn: false } },
    'spec.linuxOSConfig.swapFileSize',
  )
}

const IMAGE = {
  id: '/CommunityGalleries/AKSUbuntu/images/2204gen2containerd/versions/202601.01.0',
  requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }],
}

const statusCases = (table: Table): void => {
  const status = (fields: Readonly<Record<string, unknown>>) => ({ status: fields })
  table.updateStatus(
    'what was found out',
    {},
    status({ images: [IMAGE, IMAGE], kubernetesVersion: '1.34.1', localDNSState: 'Enabled' }),
    accepted({ 'status.images': [IMAGE, IMAGE], 'status.localDNSState': 'Enabled' }),
  )
  table.updateStatus(
    'an image without requirements',
    {},
    status({ images: [{ id: 'a' }] }),
    refused('status.images[0].requirements'),
  )
  table.updateStatus(
    'an image without id',
    {},
    status({ images: [{ requirements: [] }] }),
    refused('status.images[0].id'),
  )
  table.updateStatus(
    'a requirement without key',
    {},
    status({ images: [{ id: 'a', requirements: [{ operator: 'Exists' }] }] }),
    refused('status.images[0].requirements[0].key'),
  )
  table.updateStatus(
    'another state of LocalDNS',
    {},
    status({ localDNSState: 'Preferred' }),
    refused('status.localDNSState'),
  )
}

/**
 * Returns specs that the CRD of Azure/karpenter-provider-azure 352646f accepts or refuses
 * (`providers/azure/docs/spec/azure.md#api-object-aksnodeclass`).
 */
export const aksNodeClassCases = (): readonly ConformanceCase[] => {
  const table = caseTable(aksNodeClassResource.kind, {
    apiVersion: 'karpenter.azure.com/v1beta1',
    kind: 'AKSNodeClass',
    metadata: { name: CASE_NAME },
    spec: {},
  })
  table.accepts('the least', {}, { spec: { imageFamily: 'Ubuntu', osDiskSizeGB: 128 }, status: undefined })
  table.accepts('no spec', { spec: undefined }, { spec: undefined })
  table.refusesEach('spec', ['', [], 1], 'spec')
  plainFieldCases(table)
  tagCases(table)
  fipsCases(table)
  kubeletCases(table)
  localDnsCases(table)
  linuxCases(table)
  statusCases(table)
  table.update('an edit', { 'spec/maxPods': 30 }, { 'spec/maxPods': 31 }, accepted({ 'spec.maxPods': 31 }))
  table.update('a bad edit', { 'spec/maxPods': 30 }, { 'spec/maxPods': 5 }, refused('spec.maxPods'))
  conditionCases(table, false, 'atomic')
  return table.cases
}
