import { ownValue } from '@kerf/apis'
import type { ResolvedClass } from './resolved-class.ts'

/** The metadata key with which an OciNodeClass enables VCN-native pod networking. */
const NATIVE_NETWORKING = 'oke-native-pod-networking'

/** Returns whether pods get VCN addresses. If so, the network interfaces limit the number of pods. */
export const hasNativePods = ({ upstream, metadata, secondaryVnics }: ResolvedClass): boolean =>
  upstream === 'oracle' ? secondaryVnics.length > 0 : ownValue(metadata, NATIVE_NETWORKING) === 'true'
