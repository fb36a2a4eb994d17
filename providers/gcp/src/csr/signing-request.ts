import type { Condition, KubeObject, ResourceKind } from '@kerf/apis'

/** A CertificateSigningRequest, as far as its approval needs it. */
export interface CertificateSigningRequest extends KubeObject {
  readonly spec: {
    /** In base64. */
    readonly request: string
    readonly signerName: string
    readonly usages?: readonly string[]
    readonly username?: string
    readonly groups?: readonly string[]
  }
  readonly status?: { readonly conditions?: readonly Pick<Condition, 'type' | 'status'>[] }
}

export const signingRequestKind: ResourceKind<CertificateSigningRequest> = {
  group: 'certificates.k8s.io',
  version: 'v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  namespaced: false,
}

/** Only its name is checked, by the verb `approve`. No object of this kind exists. */
export const signerKind: ResourceKind = {
  group: 'certificates.k8s.io',
  version: 'v1',
  kind: 'Signer',
  plural: 'signers',
  namespaced: false,
}

export const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet'
export const SERVING_SIGNER = 'kubernetes.io/kubelet-serving'
