import { groupVersion } from '@kerf/apis'
import { type NodeClassOptions, objectMetadata } from '@kerf/testing'
import {
  type KWOKNodeClass,
  type KWOKNodeClassSpec,
  type KWOKNodeClassStatus,
  kwokNodeClassKind,
} from '../node-class/kwok-node-class.ts'

/** Returns a KWOKNodeClass whose nodes appear immediately. */
export const kwokNodeClass = (
  name: string,
  options: NodeClassOptions<KWOKNodeClassSpec, KWOKNodeClassStatus> = {},
): KWOKNodeClass => ({
  apiVersion: groupVersion(kwokNodeClassKind),
  kind: 'KWOKNodeClass',
  metadata: objectMetadata(name, { ...options, metadata: { generation: 1, ...options.metadata } }),
  spec: { ...options.spec },
  ...(options.status === undefined ? {} : { status: options.status }),
})
