import type { KubeObject, ResourceKind } from '@kerf/apis'

/** The TokenReview of `authentication.k8s.io/v1` (Kubernetes API reference). */
export interface TokenReview extends KubeObject {
  readonly spec: { readonly token: string }
  readonly status?: { readonly authenticated?: boolean; readonly user?: ReviewedUser; readonly error?: string }
}

export interface ReviewedUser {
  readonly username?: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** The SubjectAccessReview of `authorization.k8s.io/v1` (Kubernetes API reference). */
export interface SubjectAccessReview extends KubeObject {
  readonly spec: object
  readonly status?: { readonly allowed?: boolean }
}

export const tokenReviews: ResourceKind<TokenReview> = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  namespaced: false,
}

export const accessReviews: ResourceKind<SubjectAccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
}
