import { clusterSettings } from '@kerf/provider-kit'
import { type SettingsOf, SettingValueError, setting } from '@kerf/runtime'
import { DEFAULT_CNY_PER_USD, RATE_DATE } from '../pricing/currency.ts'

const { choice, parsed, text } = setting

const positive = (value: string): number => {
  const number = value.trim() === '' ? Number.NaN : Number(value)
  if (!Number.isFinite(number) || number <= 0)
    throw new SettingValueError(`${JSON.stringify(value)} is not a number above 0`)
  return number
}

/** The default of Karpenter's provider. It differs from the default of other clouds. */
const MEMORY_OVERHEAD = 0.065

/**
 * The settings of the Alibaba Cloud provider: upstream's names and defaults (`providers/alibaba/docs/spec/alibaba.md#settings-and-credentials`), then
 * Kerf's additions.
 */
export const alibabaSettings = {
  clusterID: text({
    env: 'CLUSTER_ID',
    flag: 'cluster-id',
    default: '',
    meaning: 'ID of the ACK cluster. The Alibaba Cloud provider requires it.',
  }),
  regionID: text({
    env: 'REGION_ID',
    flag: 'region-id',
    default: '',
    meaning:
      'Region of the cluster, for example `cn-hangzhou`. If empty, Kerf asks the metadata service of its instance.',
  }),
  alibabaCloudNetwork: choice({
    env: 'ALIBABA_CLOUD_NETWORK',
    flag: 'alibaba-cloud-network',
    default: '',
    of: ['', 'vpc'],
    meaning: '`vpc`: Kerf calls Alibaba Cloud at endpoints inside the VPC. If empty, at the public ones.',
  }),
  clusterType: choice({
    env: 'CLUSTER_TYPE',
    flag: 'cluster-type',
    default: 'ACKManaged',
    of: ['ACKManaged', 'Custom'],
    meaning:
      '`ACKManaged`: ACK gives the images and the script of new nodes. `Custom`: nodes run spec.userData of the ECSNodeClass alone, and images have IDs.',
  }),
  vmMemoryOverheadPercent: clusterSettings.vmMemoryOverheadPercent,
  interruption: clusterSettings.interruption,
  alibabaCnyPerUsd: parsed({
    env: 'ALIBABA_CNY_PER_USD',
    flag: 'alibaba-cny-per-usd',
    default: DEFAULT_CNY_PER_USD,
    defaultText: `${DEFAULT_CNY_PER_USD}`,
    parse: positive,
    origin: 'kerf',
    meaning: `How many CNY are a dollar. Prices in CNY are converted at this rate. The default is the rate of ${RATE_DATE}.`,
  }),
  alibabaPriceFile: text({
    env: 'ALIBABA_PRICE_FILE',
    flag: 'alibaba-price-file',
    default: '',
    origin: 'kerf',
    meaning:
      'JSON file with prices for environments without access to them: `{"kind": "ECSPrices", "currency": "CNY", "onDemand": {"ecs.g7.large": 0.52}, "spot": {"ecs.g7.large": {"cn-hangzhou-h": 0.1}}}`.',
  }),
  alibabaEndpointURL: text({
    env: 'ALIBABA_ENDPOINT_URL',
    flag: 'alibaba-endpoint-url',
    default: '',
    origin: 'kerf',
    meaning: 'Send all calls to Alibaba Cloud to this address instead, for example to an emulator.',
  }),
} as const

export type AlibabaSettings = SettingsOf<typeof alibabaSettings>

/** Returns the fraction of the memory that the hypervisor uses. */
export const memoryOverhead = ({
  vmMemoryOverheadPercent = MEMORY_OVERHEAD,
}: Pick<AlibabaSettings, 'vmMemoryOverheadPercent'>): number => vmMemoryOverheadPercent
