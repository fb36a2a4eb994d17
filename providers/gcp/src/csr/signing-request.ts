import type { Condition, KubeObject, ResourceKind } from '@kerf/apis'

/** The fields of a CertificateSigningRequest that its approval needs. */
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

/** Kerf uses this kind only to grant the verb `approve` on the signer's name. No object of this kind exists. */
export const signerKind: ResourceKind = {
  group: 'certificates.k8s.io',
  version: 'v1',
  kind: 'Signer',
  plural: 'signers',
  namespaced: false,
}

export const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet'
export const SERVING_SIGNER = 'kubernetes.io/kubelet-serving'
