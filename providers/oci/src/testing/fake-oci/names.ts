/** Names of the fake tenancy. */
export const REGION = 'us-phoenix-1'
export const AVAILABILITY_DOMAINS = ['Uocm:PHX-AD-1', 'Uocm:PHX-AD-2', 'Uocm:PHX-AD-3'] as const
export const FAULT_DOMAINS = ['FAULT-DOMAIN-1', 'FAULT-DOMAIN-2', 'FAULT-DOMAIN-3'] as const
export const TENANCY = 'ocid1.tenancy.oc1..aaaatenancy'
export const COMPARTMENT = 'ocid1.compartment.oc1..aaaanodes'
export const VCN = 'ocid1.vcn.oc1.phx.aaaavcn'
export const SUBNET = 'ocid1.subnet.oc1.phx.aaaanodes'
export const SECURITY_GROUP = 'ocid1.networksecuritygroup.oc1.phx.aaaanodes'
export const IMAGE = 'ocid1.image.oc1.phx.aaaaolx86'
export const ARM_IMAGE = 'ocid1.image.oc1.phx.aaaaolarm'
export const GPU_IMAGE = 'ocid1.image.oc1.phx.aaaaolgpu'
/** The tag namespace that exists in the tenancy. */
export const TAG_NAMESPACE = 'oke-karpenter-ns'
/** The user whose key signs the requests. */
export const USER = 'ocid1.user.oc1..aaaakerf'
