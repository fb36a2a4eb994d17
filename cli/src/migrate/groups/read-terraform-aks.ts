import { ownValue, setOwnValue } from '@kerf/apis'
import { isLoose, type Loose, objectsOf } from './loose.ts'

/** Names of Terraform's fields without underscores that are others in the API of AKS. */
const NAMES: Readonly<Record<string, string>> = {
  nodecount: 'count',
  autoscalingenabled: 'enableautoscaling',
  zones: 'availabilityzones',
  priority: 'scalesetpriority',
  evictionpolicy: 'scalesetevictionpolicy',
  hostencryptionenabled: 'enableencryptionathost',
  enablehostencryption: 'enableencryptionathost',
  fipsenabled: 'enablefips',
  nodepublicipenabled: 'enablenodepublicip',
  ultrassdenabled: 'enableultrassd',
  gpuinstance: 'gpuinstanceprofile',
  cpucfsquotaenabled: 'cpucfsquota',
  podmaxpid: 'podmaxpids',
  containerlogmaxline: 'containerlogmaxfiles',
}

/** Fields of the resource itself, and those that are written otherwise here. */
const OWN: ReadonlySet<string> = new Set([
  'kubernetes_cluster_id',
  'temporary_name_for_rotation',
  'timeouts',
  'gpu_driver',
  'type',
])

/** Fields by the names of the API in small letters. A block is a list of one in the state. */
const asApi = (values: Loose): Loose => {
  const fields: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(values)) {
    if (OWN.has(key)) continue
    const plain = key.replaceAll('_', '')
    const [block] = objectsOf(value)
    const read = block === undefined ? value : asApi(block)
    setOwnValue(
      fields,
      ownValue(NAMES, plain) ?? plain,
      isLoose(value) && key !== 'tags' && !key.startsWith('node_') ? asApi(value) : read,
    )
  }
  return fields
}

const poolOf = (values: Loose, more: Loose = {}): Loose => ({
  ...asApi(values),
  ...(values['gpu_driver'] === undefined || values['gpu_driver'] === null
    ? {}
    : { gpuprofile: { driver: values['gpu_driver'] } }),
  ...more,
})

/** `azurerm_kubernetes_cluster` of Terraform's state, as `az aks show` prints a cluster. */
export const aksClusterOfTerraform = (values: Loose): Loose => ({
  id: values['id'],
  name: values['name'],
  location: values['location'],
  resourceGroup: values['resource_group_name'],
  agentPoolProfiles: objectsOf(values['default_node_pool']).map((pool) => poolOf(pool, { mode: 'System' })),
  autoScalerProfile: objectsOf(values['auto_scaler_profile'])[0],
})

/** `azurerm_kubernetes_cluster_node_pool` of Terraform's state, as `az aks nodepool list` prints a pool. */
export const aksPoolOfTerraform = (values: Loose): Loose => poolOf(values)
