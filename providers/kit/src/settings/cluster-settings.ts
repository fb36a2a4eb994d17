import { SettingValueError, setting } from '@kerf/runtime'

const absoluteUrl = (value: string): string => {
  if (value === '') return value
  if (!URL.canParse(value) || new URL(value).host === '')
    throw new SettingValueError(`${JSON.stringify(value)} is not an absolute URL such as https://api.demo.example.com`)
  return value
}

const part = (value: string): number => {
  const number = value.trim() === '' ? Number.NaN : Number(value)
  if (!Number.isFinite(number)) throw new SettingValueError(`${JSON.stringify(value)} is not a number`)
  if (number < 0) throw new SettingValueError(`${number} is negative`)
  return number
}

/**
 * Settings that several providers share under the same names (`providers/aws/docs/spec/aws-installation.md#aws-settings`,
 * `providers/azure/docs/spec/azure.md#settings`). The tables of settings of these providers include the same entries.
 */
export const clusterSettings = {
  clusterName: setting.text({
    env: 'CLUSTER_NAME',
    flag: 'cluster-name',
    default: '',
    meaning:
      'Name of the cluster in its cloud. Providers that tag what they create require it, and tag everything with it.',
  }),
  clusterEndpoint: setting.parsed({
    env: 'CLUSTER_ENDPOINT',
    flag: 'cluster-endpoint',
    default: '',
    defaultText: '',
    parse: absoluteUrl,
    meaning:
      'URL at which nodes reach the API server. If empty, the provider asks the managed Kubernetes service of its cloud; providers that cannot ask it require this setting.',
  }),
  clusterCABundle: setting.text({
    env: 'CLUSTER_CA_BUNDLE',
    flag: 'cluster-ca-bundle',
    default: '',
    meaning:
      'Certificate authority of the API server for nodes, in base64. If empty, the one that the controller trusts.',
  }),
  /** Undefined if the user does not set it. Each provider then uses its own default. */
  vmMemoryOverheadPercent: {
    ...setting.parsed<number | undefined>({
      env: 'VM_MEMORY_OVERHEAD_PERCENT',
      flag: 'vm-memory-overhead-percent',
      default: undefined,
      defaultText: 'of the provider',
      parse: part,
      meaning:
        'Part of the memory that the hypervisor uses. With a provider that learns the memory of an instance type from its nodes, it applies until the first of them has reported it. The specification of each provider has its default.',
    }),
    lenientInEnvironment: true,
  },
  interruption: setting.flagged({
    env: 'INTERRUPTION',
    flag: 'interruption',
    default: true,
    meaning:
      'Whether Kerf replaces spot instances that the cloud takes back. The specification of each provider says how the cluster learns of it.',
  }),
} as const
