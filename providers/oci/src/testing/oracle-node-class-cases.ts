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
import { oracleNodeClassDescriptor } from '../node-class/oracle-descriptor.ts'
import { oracleNodeClassResource } from '../node-class/oracle-node-class.ts'

const volumeCases = (table: Table): void => {
  const BOOT = 'spec/volumeConfig/bootVolumeConfig'
  const at = 'spec.volumeConfig.bootVolumeConfig'
  table.refusesEach('spec/volumeConfig', [undefined], 'spec.volumeConfig')
  table.refusesEach('spec/volumeConfig/bootVolumeConfig', [undefined], at)
  table.acceptsEach(`${BOOT}/imageConfig`, [
    { imageType: '', imageId: '' },
    { imageType: 'Custom', imageFilter: { osFilter: '', osVersionFilter: '' } },
  ])
  table.refusesEach(
    `${BOOT}/imageConfig`,
    [
      { imageType: 'OKEImage' },
      { imageType: 'OKEImage', imageId: 'a', imageFilter: { osFilter: 'a', osVersionFilter: '8' } },
    ],
    `${at}.imageConfig`,
  )
  table.refusesEach(`${BOOT}/imageConfig/imageType`, [undefined], `${at}.imageConfig.imageType`)
  for (const field of ['osFilter', 'osVersionFilter'])
    table.refusesEach(`${BOOT}/imageConfig/imageFilter/${field}`, [undefined], `${at}.imageConfig.imageFilter.${field}`)
  table.acceptsEach(`${BOOT}/sizeInGBs`, [1])
  table.refusesEach(`${BOOT}/sizeInGBs`, [0, 1.5], `${at}.sizeInGBs`)
  table.acceptsEach(`${BOOT}/vpusPerGB`, [10, 20, 30, 31, 120])
  table.refusesEach(`${BOOT}/vpusPerGB`, [0, 11, 29, 121], `${at}.vpusPerGB`)
}

const networkCases = (table: Table): void => {
  const PRIMARY = 'spec/networkConfig/primaryVnicConfig'
  const at = 'spec.networkConfig.primaryVnicConfig'
  const filter = { displayName: 'a' }
  table.refusesEach('spec/networkConfig', [undefined], 'spec.networkConfig')
  table.refusesEach(
    `${PRIMARY}/subnetConfig`,
    [undefined, {}, { subnetId: 'a', subnetFilter: filter }],
    `${at}.subnetConfig`,
  )
  table.acceptsEach(`${PRIMARY}/subnetConfig`, [
    { subnetId: '' },
    { subnetFilter: { freeformTags: {} } },
    { subnetFilter: { definedTags: { ns: { a: 'b' } }, compartmentId: '' } },
  ])
  table.refusesEach(
    `${PRIMARY}/subnetConfig/subnetFilter`,
    [{}, { compartmentId: 'a' }],
    `${at}.subnetConfig.subnetFilter`,
  )
  table.acceptsEach(`${PRIMARY}/networkSecurityGroupConfigs`, [
    [],
    [{ networkSecurityGroupId: 'a' }],
    [{ networkSecurityGroupFilter: {} }],
  ])
  table.refusesEach(
    `${PRIMARY}/networkSecurityGroupConfigs`,
    [[{}], [{ networkSecurityGroupId: 'a', networkSecurityGroupFilter: filter }]],
    `${at}.networkSecurityGroupConfigs[0]`,
  )
  table.acceptsEach(`${PRIMARY}/vnicDisplayname`, ['a', long(255)])
  table.refusesEach(`${PRIMARY}/vnicDisplayname`, ['', long(256)], `${at}.vnicDisplayname`)
  const vnic = { subnetConfig: { subnetId: 'a' } }
  const SECONDARY = 'spec/networkConfig/secondaryVnicConfigs'
  table.acceptsEach(SECONDARY, [
    [],
    many(64, () => vnic),
    [
      { ...vnic, ipCount: 1, nicIndex: -1 },
      { ...vnic, ipCount: 256 },
    ],
  ])
  table.refuses(
    '65 secondary interfaces',
    { [SECONDARY]: many(65, () => vnic) },
    'spec.networkConfig.secondaryVnicConfigs',
  )
  for (const ipCount of [0, 257])
    table.refuses(
      `${ipCount} pod addresses`,
      { [SECONDARY]: [{ ...vnic, ipCount }] },
      'spec.networkConfig.secondaryVnicConfigs[0].ipCount',
    )
}

const placementCases = (table: Table): void => {
  const filter = { displayName: 'a' }
  const reservations = [{ capacityReservationId: 'a' }]
  const groups = [{ clusterPlacementGroupId: 'a' }]
  const cluster = { computeClusterId: 'a' }
  table.acceptsEach('spec/capacityReservationConfigs', [[], reservations, [{ capacityReservationFilter: filter }]])
  table.acceptsEach('spec/clusterPlacementGroupConfigs', [[], groups, [{ clusterPlacementGroupFilter: {} }]])
  table.acceptsEach('spec/computeClusterConfig', [cluster, { computeClusterFilter: filter }])
  table.refusesEach(
    'spec/computeClusterConfig',
    [{}, { ...cluster, computeClusterFilter: filter }],
    'spec.computeClusterConfig',
  )
  table.refuses(
    'a reservation without id and filter',
    { 'spec/capacityReservationConfigs': [{}] },
    'spec.capacityReservationConfigs[0]',
  )
  table.refuses(
    'an empty filter of reservations',
    { 'spec/capacityReservationConfigs': [{ capacityReservationFilter: {} }] },
    'spec.capacityReservationConfigs[0].capacityReservationFilter',
  )
  table.refuses(
    'a reservation and a placement group',
    { 'spec/capacityReservationConfigs': reservations, 'spec/clusterPlacementGroupConfigs': groups },
    'spec',
  )
  table.refuses(
    'a placement group and a compute cluster',
    { 'spec/clusterPlacementGroupConfigs': groups, 'spec/computeClusterConfig': cluster },
    'spec',
  )
  const set = { 'spec/computeClusterConfig': cluster }
  table.update('set a compute cluster', {}, set, accepted())
  table.update(
    'change a compute cluster',
    set,
    { 'spec/computeClusterConfig': { computeClusterId: 'b' } },
    refused('spec', 'spec.computeClusterConfig'),
  )
  table.update('remove a compute cluster', set, { 'spec/computeClusterConfig': undefined }, refused('spec'))
}

const kubeletCases = (table: Table): void => {
  const signal = 'memory.available'
  table.acceptsEach('spec/kubeletConfig', [
    { maxPods: 1, podsPerCore: 1, nodeLabels: { a: 'b' }, extraArgs: '' },
    { podsPerCore: 500 },
    { kubeReserved: { cpu: 'abc' }, evictionHard: { [signal]: 'abc' } },
    { imageGCHighThresholdPercent: 1, imageGCLowThresholdPercent: 2 },
    { evictionSoft: { [signal]: '5%' } },
  ])
  table.refusesEach('spec/kubeletConfig/maxPods', [0], 'spec.kubeletConfig.maxPods')
  table.refuses(
    'more pods per core than pods',
    { 'spec/kubeletConfig': { maxPods: 1, podsPerCore: 2 } },
    'spec.kubeletConfig',
  )
  table.refusesEach(
    'spec/kubeletConfig/systemReserved',
    [{ disk: '1' }, { cpu: '-1' }],
    'spec.kubeletConfig.systemReserved',
  )
  table.refusesEach(
    'spec/kubeletConfig/evictionSoftGracePeriod',
    [{ disk: '1m' }],
    'spec.kubeletConfig.evictionSoftGracePeriod',
  )
}

/** Returns cases that the CRD of OCINodeClass accepts or rejects. The verdicts equal those of oracle/karpenter-provider-oci (b26d656). */
export const oracleNodeClassCases = (): readonly ConformanceCase[] => {
  const table = caseTable(oracleNodeClassResource.kind, {
    ...oracleNodeClassDescriptor.example,
    metadata: { name: CASE_NAME },
  })
  table.accepts('no spec', { spec: undefined }, { spec: undefined })
  table.acceptsEach('spec/shapeConfigs', [
    [],
    [{}],
    [{ ocpus: 1.5, memoryInGbs: 1, baselineOcpuUtilization: 'BASELINE_1_8' }],
  ])
  for (const [field, value] of [
    ['ocpus', 0.5],
    ['memoryInGbs', 0],
    ['baselineOcpuUtilization', 'BASELINE_1_4'],
  ] as const)
    table.refuses(
      `a size with ${field} ${value}`,
      { 'spec/shapeConfigs': [{ [field]: value }] },
      `spec.shapeConfigs[0].${field}`,
    )
  table.acceptsEach('spec/launchOptions', [{}, { firmware: 'other', consistentVolumeNamingEnabled: false }])
  table.acceptsEach('spec/definedTags', [{}, { 'a b': { 'c.d': '' } }])
  volumeCases(table)
  networkCases(table)
  placementCases(table)
  kubeletCases(table)
  conditionCases(table, false, 'atomic')
  return table.cases
}
