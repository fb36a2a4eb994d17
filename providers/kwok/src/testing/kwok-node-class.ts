import { apiVersionOf } from '@kerf/apis'
import { metadataOf, type NodeClassOptions } from '@kerf/testing'
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
  apiVersion: apiVersionOf(kwokNodeClassKind),
  kind: 'KWOKNodeClass',
  metadata: metadataOf(name, { ...options, metadata: { generation: 1, ...options.metadata } }),
  spec: { ...options.spec },
  ...(options.status === undefined ? {} : { status: options.status }),
})
