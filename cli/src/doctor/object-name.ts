import type { KubeObject } from '@kerf/apis'

/** `NodePool default`, `Deployment shop/web`. */
export const objectName = ({ kind, metadata }: KubeObject): string =>
  metadata.namespace === undefined ? `${kind} ${metadata.name}` : `${kind} ${metadata.namespace}/${metadata.name}`
