/** The subscription of the fake. The constants below are names of its resources. */
export const SUBSCRIPTION = '00000000-0000-0000-0000-000000000001'
/** The resource group that AKS created for the nodes. */
export const GROUP = 'MC_demo_demo_southcentralus'
/** The resource group of the AKS cluster. */
export const CLUSTER_GROUP = 'demo'

const NETWORK = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}/providers/Microsoft.Network`

export const SUBNET = `${NETWORK}/virtualNetworks/aks-vnet-12345678/subnets/aks-subnet`
export const SECURITY_GROUPS = `${NETWORK}/networkSecurityGroups`
export const BALANCER = `${NETWORK}/loadBalancers/kubernetes`
/** The backend pool of the load balancer that nodes join. */
export const BACKEND_POOL = `${BALANCER}/backendAddressPools/kubernetes`
