import { type KubeObject, ownValue, type ResourceKind } from '@kerf/apis'

/** A Secret. The values of `data` are in base64. */
export interface Secret extends KubeObject {
  readonly type?: string
  readonly data?: Readonly<Record<string, string>>
  readonly stringData?: Readonly<Record<string, string>>
}

export const secretKind: ResourceKind<Secret> = {
  ...{ group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true },
}

/** Returns the decoded value of a key of a Secret, or undefined. */
export const secretValue = ({ data }: Pick<Secret, 'data'>, key: string): string | undefined => {
  const value = ownValue(data, key)
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString('utf8')
}

/** The only namespace in which Kubernetes looks for bootstrap tokens. */
export const TOKEN_NAMESPACE = 'kube-system'

/** The ConfigMap with the certificate authority of the API server. */
export const ROOT_CA = 'kube-root-ca.crt'
