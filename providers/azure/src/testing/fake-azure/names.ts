/** The subscription of the fake, and what is called how in it. */
export const SUBSCRIPTION = '00000000-0000-0000-0000-000000000001'
/** Which AKS made for the nodes. */
export const GROUP = 'MC_demo_demo_southcentralus'
/** Of the AKS cluster itself. */
export const CLUSTER_GROUP = 'demo'

const NETWORK = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}/providers/Microsoft.Network`

export const SUBNET = `${NETWORK}/virtualNetworks/aks-vnet-12345678/subnets/aks-subnet`
export const SECURITY_GROUPS = `${NETWORK}/networkSecurityGroups`
export const BALANCER = `${NETWORK}/loadBalancers/kubernetes`
/** Of the load balancer: which nodes join. */
export const BACKEND_POOL = `${BALANCER}/backendAddressPools/kubernetes`
