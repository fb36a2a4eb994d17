import { clusterSettings } from '@kerf/provider-kit'
import { type SettingsOf, setting } from '@kerf/runtime'
import { MEMORY_OVERHEAD } from '../instance-type/memory-overhead.ts'

const { flagged, text } = setting

/**
 * The settings of the Google Cloud provider: upstream's names and defaults (`providers/gcp/docs/spec/gcp.md#settings-and-credentials`), then
 * Kerf's additions.
 */
export const gcpSettings = {
  projectID: text({
    env: 'PROJECT_ID',
    flag: 'project-id',
    default: '',
    meaning: 'ID of the project of the cluster. The Google Cloud provider requires it.',
  }),
  clusterName: clusterSettings.clusterName,
  clusterLocation: text({
    env: 'CLUSTER_LOCATION',
    flag: 'cluster-location',
    default: '',
    meaning:
      'Region of the GKE cluster, or zone of a zonal cluster, for example `europe-west1`. The Google Cloud provider requires it.',
  }),
  nodeLocation: text({
    env: 'NODE_LOCATION',
    flag: 'node-location',
    default: '',
    meaning:
      'Location with which Kerf asks GKE about the cluster. If empty, that of the cluster. It does not select zones for nodes.',
  }),
  vmMemoryOverheadPercent: clusterSettings.vmMemoryOverheadPercent,
  googleApplicationCredentials: text({
    env: 'GOOGLE_APPLICATION_CREDENTIALS',
    flag: 'GOOGLE_APPLICATION_CREDENTIALS',
    default: '',
    meaning:
      'File with credentials for Google Cloud: a key of a service account, a workload identity federation, or an impersonation. If empty, Kerf uses the identity of its Kubernetes service account, or the credentials of gcloud.',
  }),
  defaultNodepoolServiceAccount: text({
    env: 'DEFAULT_NODEPOOL_SERVICE_ACCOUNT',
    flag: 'default-nodepool-service-account',
    default: '',
    meaning:
      'Service account of nodes whose GCENodeClass has none. If empty, the default service account of Compute Engine.',
  }),
  defaultNodepoolTemplateName: text({
    env: 'DEFAULT_NODEPOOL_TEMPLATE_NAME',
    flag: 'default-nodepool-template-name',
    default: '',
    meaning:
      'Node pool of GKE from which Kerf copies the start of nodes. If empty, `default-pool`, otherwise the first running pool by name.',
  }),
  interruption: clusterSettings.interruption,
  gcpPriceFile: text({
    env: 'GCP_PRICE_FILE',
    flag: 'gcp-price-file',
    default: '',
    origin: 'kerf',
    meaning:
      'JSON file with prices in USD an hour, which take precedence over all others: `{"onDemand": {"n2-standard-4": 0.19}, "spot": {"n2-standard-4": {"europe-west1-b": 0.05}}}`.',
  }),
  gcpCurrentPrices: flagged({
    env: 'GCP_CURRENT_PRICES',
    flag: 'gcp-current-prices',
    default: true,
    origin: 'kerf',
    meaning:
      'Whether Kerf reads the current prices from the Cloud Billing Catalog every twelve hours. Otherwise it uses only those of `GCP_PRICE_FILE` and those that come with it.',
  }),
  gcpEndpointURL: text({
    env: 'GCP_ENDPOINT_URL',
    flag: 'gcp-endpoint-url',
    default: '',
    origin: 'kerf',
    meaning:
      'Send all calls to Compute Engine and GKE to this address instead, for example to an emulator. Tokens come from Google as usual.',
  }),
} as const

export type GcpSettings = SettingsOf<typeof gcpSettings>

const ZONE = /^([a-z]+-[a-z]+\d+)-[a-z]$/

/** Returns the region of a location, which is a region or a zone. */
export const regionOfLocation = (location: string): string => ZONE.exec(location)?.[1] ?? location

/** Returns one sentence for each problem of the settings. */
export const settingProblems = ({
  projectID,
  clusterName,
  clusterLocation,
  gcpEndpointURL,
}: Pick<GcpSettings, 'projectID' | 'clusterName' | 'clusterLocation' | 'gcpEndpointURL'>): readonly string[] => [
  ...(projectID === '' ? ['PROJECT_ID is not set; set it to the project of the cluster'] : []),
  ...(clusterName === '' ? ['CLUSTER_NAME is not set; set it to the name of the GKE cluster'] : []),
  ...(clusterLocation === ''
    ? ['CLUSTER_LOCATION is not set; set it to the region or the zone of the cluster, for example europe-west1']
    : []),
  ...(gcpEndpointURL === '' || URL.canParse(gcpEndpointURL) ? [] : [`GCP_ENDPOINT_URL ${gcpEndpointURL} is no URL`]),
]

/** Returns the fraction of the memory that the hypervisor uses. */
export const memoryOverhead = ({
  vmMemoryOverheadPercent = MEMORY_OVERHEAD,
}: Pick<GcpSettings, 'vmMemoryOverheadPercent'>): number => vmMemoryOverheadPercent
