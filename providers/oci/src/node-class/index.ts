/** The parts of the node classes that other packages may use. */

export { communityNodeClassDescriptor } from './community-descriptor.ts'
export { type CommunityNodeClass, communityNodeClassKind, communityNodeClassResource } from './community-node-class.ts'
export { OciClasses } from './oci-classes.ts'
export { oracleNodeClassDescriptor } from './oracle-descriptor.ts'
export { type OracleNodeClass, oracleNodeClassKind, oracleNodeClassResource } from './oracle-node-class.ts'
