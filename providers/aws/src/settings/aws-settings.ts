import { clusterSettings } from '@kerf/provider-kit'
import { parseGates, type SettingsOf, SettingValueError, setting } from '@kerf/runtime'

const { duration, flagged, integer, parsed, text } = setting

/** The feature gates of the AWS provider with their defaults. */
export const defaultAwsFeatureGates = { NodeClassCEL: false } as const satisfies Readonly<Record<string, boolean>>
export type AwsFeatureGates = { readonly [K in keyof typeof defaultAwsFeatureGates]: boolean }

const MINUTE = 60_000

/** A refresh interval of at least one minute, as in upstream, because shorter intervals only cause more calls. */
const refreshInterval = (env: string, flag: string, meaning: string) => {
  const base = duration({ env, flag, default: MINUTE, meaning })
  return {
    ...base,
    parse: (value: string): number => {
      const span = base.parse(value)
      if (span < MINUTE) throw new SettingValueError(`${JSON.stringify(value)} is shorter than 1m`)
      return span
    },
    lenientInEnvironment: false,
  }
}

/**
 * The settings of the AWS provider: upstream's names, defaults and rules (`providers/aws/docs/spec/aws-installation.md#aws-settings`), then
 * Kerf's additions.
 */
export const awsSettings = {
  clusterName: clusterSettings.clusterName,
  clusterEndpoint: clusterSettings.clusterEndpoint,
  clusterCABundle: clusterSettings.clusterCABundle,
  isolatedVpc: flagged({
    env: 'ISOLATED_VPC',
    flag: 'isolated-vpc',
    default: false,
    meaning:
      'The VPC has no access to IAM and the Pricing API. Kerf uses its built-in prices, and you provide the instance profiles.',
  }),
  eksControlPlane: flagged({
    env: 'EKS_CONTROL_PLANE',
    flag: 'eks-control-plane',
    default: false,
    meaning: 'Read the Kubernetes version from EKS instead of the API server.',
  }),
  vmMemoryOverheadPercent: clusterSettings.vmMemoryOverheadPercent,
  interruptionQueue: text({
    env: 'INTERRUPTION_QUEUE',
    flag: 'interruption-queue',
    default: '',
    meaning: 'Name of the SQS queue to which EventBridge sends interruption messages. If empty, Kerf watches no queue.',
  }),
  reservedENIs: integer({
    env: 'RESERVED_ENIS',
    flag: 'reserved-enis',
    default: 0,
    min: 0,
    meaning: 'Number of network interfaces of an instance that provide no pod addresses, as with custom networking.',
  }),
  disableDryRun: flagged({
    env: 'DISABLE_DRY_RUN',
    flag: 'disable-dry-run',
    default: false,
    meaning: 'Do not check launch permissions of each EC2NodeClass with a dry run.',
  }),
  enableZonalShift: flagged({
    env: 'ENABLE_ZONAL_SHIFT',
    flag: 'enable-zonal-shift',
    default: false,
    meaning: 'Launch no instances in zones from which traffic was shifted away (ARC zonal shift).',
  }),
  amiRefreshInterval: refreshInterval(
    'AMI_REFRESH_INTERVAL',
    'ami-refresh-interval',
    'How long Kerf caches the images of an EC2NodeClass.',
  ),
  subnetRefreshInterval: refreshInterval(
    'SUBNET_REFRESH_INTERVAL',
    'subnet-refresh-interval',
    'How long Kerf caches the subnets of an EC2NodeClass.',
  ),
  awsFeatureGates: parsed({
    env: 'AWS_FEATURE_GATES',
    flag: 'aws-feature-gates',
    default: { ...defaultAwsFeatureGates } as AwsFeatureGates,
    defaultText: 'NodeClassCEL=false',
    parse: (value) => parseGates(defaultAwsFeatureGates, value),
    meaning:
      'Optional features of the AWS provider as `Name=true`, separated by commas. `NodeClassCEL`, which is newer than 1.14.1, is not supported yet: even with the gate on, Kerf rejects expressions in `spec.kubelet` with the reason KubeletExpressionsDisabled.',
  }),
  awsRegion: text({
    env: 'AWS_REGION',
    flag: 'aws-region',
    default: '',
    origin: 'kerf',
    meaning: 'Region of the cluster. If empty, Kerf gets it from the instance metadata service.',
  }),
  awsEndpointUrl: text({
    env: 'AWS_ENDPOINT_URL',
    flag: 'aws-endpoint-url',
    default: '',
    origin: 'kerf',
    meaning: 'Send all calls to this address instead of AWS, for example to an emulator.',
  }),
  awsMaxAttempts: integer({
    env: 'AWS_MAX_ATTEMPTS',
    flag: 'aws-max-attempts',
    default: 3,
    min: 1,
    max: 20,
    origin: 'kerf',
    meaning: 'Maximum number of attempts of an AWS call that is throttled or fails with a server error.',
  }),
  awsPriceFile: text({
    env: 'AWS_PRICE_FILE',
    flag: 'aws-price-file',
    default: '',
    origin: 'kerf',
    meaning:
      'JSON file with prices, for environments without access to the Pricing API: `{"onDemand": {"m5.large": 0.096}, "spot": {"m5.large": {"us-east-1a": 0.035}}}`.',
  }),
}

export type AwsSettings = SettingsOf<typeof awsSettings>

/** Returns the settings with all defaults. Only the cluster's name has no default. */
export const defaultAwsSettings = (clusterName: string): AwsSettings => ({
  clusterName,
  clusterEndpoint: '',
  clusterCABundle: '',
  isolatedVpc: false,
  eksControlPlane: false,
  vmMemoryOverheadPercent: undefined,
  interruptionQueue: '',
  reservedENIs: 0,
  disableDryRun: false,
  enableZonalShift: false,
  amiRefreshInterval: MINUTE,
  subnetRefreshInterval: MINUTE,
  awsFeatureGates: defaultAwsFeatureGates,
  awsRegion: '',
  awsEndpointUrl: '',
  awsMaxAttempts: 3,
  awsPriceFile: '',
})
