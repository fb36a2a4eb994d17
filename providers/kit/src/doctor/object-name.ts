import type { KubeObject } from '@kerf/apis'

/** Returns the kind and name of an object, for example `NodePool default` or `Deployment shop/web`. */
export const objectName = ({ kind, metadata }: KubeObject): string =>
  metadata.namespace === undefined ? `${kind} ${metadata.name}` : `${kind} ${metadata.namespace}/${metadata.name}`
