import type { ArmResponse } from './arm-response.ts'
import { BACKEND_POOL, BALANCER, SECURITY_GROUPS } from './names.ts'

/** The network resources of AKS: its load balancer, its security group, and the virtual network. */
export class FakeNetwork {
  /** By name. */
  securityGroups: readonly string[] = ['aks-agentpool-12345678-nsg']
  /** The GUID of every virtual network. Undefined if Azure does not return it. */
  resourceGuid: string | undefined = '00000000-0000-0000-0000-0000000000aa'

  virtualNetwork({ pathname }: URL, name: string): ArmResponse {
    const { resourceGuid } = this
    return { status: 200, body: { id: pathname, name, properties: { resourceGuid } } }
  }

  securityGroupPage(): ArmResponse {
    const value = this.securityGroups.map((name) => ({ id: `${SECURITY_GROUPS}/${name}`, name }))
    return { status: 200, body: { value } }
  }

  /** Returns one load balancer. It has a pool for each address family, and a pool of IP addresses instead of network interfaces. */
  balancerPage(): ArmResponse {
    const backendAddressPools = [
      { id: BACKEND_POOL, name: 'kubernetes', properties: {} },
      { id: `${BALANCER}/backendAddressPools/kubernetes-ipv6`, name: 'kubernetes-ipv6', properties: {} },
      {
        id: `${BALANCER}/backendAddressPools/by-address`,
        name: 'by-address',
        properties: { loadBalancerBackendAddresses: [{ name: 'a', properties: { ipAddress: '10.0.0.4' } }] },
      },
    ]
    return { status: 200, body: { value: [{ id: BALANCER, name: 'kubernetes', properties: { backendAddressPools } }] } }
  }
}
