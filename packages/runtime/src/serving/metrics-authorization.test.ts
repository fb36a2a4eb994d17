import type { KubeObject, ResourceKind } from '@kerf/apis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import type { KubeClient } from '../kube-client/kube-client.ts'
import { RecordingLogger } from '../logging/recording-logger.ts'
import { metricsAuthorizationPermissions } from '../permissions/runtime-permissions.ts'
import { MetricsAuthorization } from './metrics-authorization.ts'

interface Asked {
  readonly kind: string
  readonly apiVersion: string
  readonly object: KubeObject
  readonly isBounded: boolean
}
type Statuses = Readonly<Record<string, object | undefined>>

const ALLOWED: Statuses = {
  TokenReview: { authenticated: true, user: { username: 'ann', uid: 'u1', groups: ['g'], extra: { scopes: ['s'] } } },
  SubjectAccessReview: { allowed: true },
}

/** Gives these responses to reviews, as the API server does for objects that it does not store. */
const authorizationOf = (statuses: Statuses) => {
  const asked: Asked[] = []
  const clock = new VirtualClock()
  const logger = new RecordingLogger()
  const create = async (kind: ResourceKind, object: KubeObject, options?: { readonly signal?: AbortSignal }) => {
    const apiVersion = `${kind.group}/${kind.version}/${kind.plural}${kind.namespaced ? ' of a namespace' : ''}`
    asked.push({ kind: kind.kind, apiVersion, object, isBounded: options?.signal?.aborted === false })
    return { ...object, status: statuses[kind.kind] }
  }
  const client = { create } as unknown as Pick<KubeClient, 'create'>
  const authorization = new MetricsAuthorization({ client, clock, logger })
  const refusal = (header: string | undefined, path = '/metrics', method = 'GET') =>
    authorization.refusal(path, method, header === undefined ? {} : { authorization: header })
  const kinds = (): readonly string[] => asked.splice(0).map(({ kind }) => kind)
  return { asked, clock, kinds, logger, refusal }
}

test('sends the token to the API server, and then all attributes of the token’s user with the path', async () => {
  const timeouts = vi.spyOn(AbortSignal, 'timeout')
  onTestFinished(() => timeouts.mockRestore())
  const { asked, refusal } = authorizationOf(ALLOWED)
  expect(await refusal('Bearer a.b-c')).toBeUndefined()
  // Each review may take ten seconds.
  expect(timeouts.mock.calls).toEqual([[10_000], [10_000]])
  expect(asked).toEqual([
    {
      kind: 'TokenReview',
      apiVersion: 'authentication.k8s.io/v1/tokenreviews',
      object: {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        metadata: {},
        spec: { token: 'a.b-c' },
      },
      isBounded: true,
    },
    {
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1/subjectaccessreviews',
      object: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        metadata: {},
        spec: {
          user: 'ann',
          uid: 'u1',
          groups: ['g'],
          extra: { scopes: ['s'] },
          nonResourceAttributes: { path: '/metrics', verb: 'get' },
        },
      },
      isBounded: true,
    },
  ])
})

test('requests only what the roles allow', async () => {
  const { kinds, refusal } = authorizationOf(ALLOWED)
  await refusal('Bearer a')
  const declared = metricsAuthorizationPermissions.flatMap(({ kind, verbs }) => verbs.map((verb) => [verb, kind.kind]))
  expect(declared).toEqual(kinds().map((kind) => ['create', kind]))
})

test.each([undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer a b', 'xBearer a', 'Bearera'])(
  'sends no review without a token (%s), and says in the response what is required',
  async (header) => {
    const { asked, refusal } = authorizationOf(ALLOWED)
    expect(await refusal(header)).toEqual({
      status: 401,
      text: 'Unauthorized',
      headers: { 'www-authenticate': 'Bearer' },
    })
    expect(asked).toEqual([])
  },
)

test.each(['bearer a', 'BEARER a', 'Bearer   a', ' Bearer a '])('accepts a token sent as "%s"', async (header) => {
  const { asked, refusal } = authorizationOf(ALLOWED)
  expect(await refusal(header)).toBeUndefined()
  expect(asked[0]?.object).toMatchObject({ spec: { token: 'a' } })
})

test.each([{ authenticated: false, user: { username: 'ann' } }, { user: { username: 'ann' } }, undefined])(
  'refuses a token that the API server does not confirm (%o), and reviews it again next time',
  async (status) => {
    const { kinds, refusal } = authorizationOf({ ...ALLOWED, TokenReview: status })
    expect(await refusal('Bearer a')).toMatchObject({ status: 401 })
    expect(await refusal('Bearer a')).toMatchObject({ status: 401 })
    expect(kinds()).toEqual(['TokenReview', 'TokenReview'])
  },
)

test('accepts a user without attributes', async () => {
  const { asked, refusal } = authorizationOf({ ...ALLOWED, TokenReview: { authenticated: true } })
  expect(await refusal('Bearer a')).toBeUndefined()
  expect(asked[1]?.object).toMatchObject({ spec: { nonResourceAttributes: { path: '/metrics', verb: 'get' } } })
})

test.each([{ allowed: false }, { denied: true }, undefined])(
  'tells a user without permission (%o) which permission is required',
  async (status) => {
    const { refusal } = authorizationOf({ ...ALLOWED, SubjectAccessReview: status })
    expect(await refusal('Bearer a', '/debug/pprof/heap', 'HEAD')).toEqual({
      status: 403,
      text: 'user ann may not head /debug/pprof/heap; grant it by nonResourceURLs of a ClusterRole',
    })
  },
)

test('uses a cached review only for the same token, path and verb', async () => {
  const { kinds, refusal } = authorizationOf(ALLOWED)
  await refusal('Bearer a')
  expect(kinds()).toEqual(['TokenReview', 'SubjectAccessReview'])
  await refusal('Bearer a')
  expect(kinds()).toEqual([])
  await refusal('Bearer a', '/debug/pprof/heap')
  expect(kinds()).toEqual(['SubjectAccessReview'])
  await refusal('Bearer a', '/metrics', 'HEAD')
  expect(kinds()).toEqual(['SubjectAccessReview'])
  await refusal('Bearer b')
  expect(kinds()).toEqual(['TokenReview', 'SubjectAccessReview'])
})

test('reviews unknown tokens at five per second with bursts of fifty; beyond that, the response says when to retry', async () => {
  const { clock, kinds, refusal } = authorizationOf({ ...ALLOWED, TokenReview: {} })
  for (let guess = 0; guess < 50; guess++) expect(await refusal(`Bearer ${guess}`)).toMatchObject({ status: 401 })
  const refused = { status: 429, text: 'too many tokens', headers: { 'retry-after': '1' } }
  expect(await refusal('Bearer 50')).toEqual(refused)
  expect(kinds()).toHaveLength(50)
  await clock.advance(199)
  expect(await refusal('Bearer 51')).toEqual(refused)
  await clock.advance(1)
  expect(await refusal('Bearer 52')).toMatchObject({ status: 401 })
  expect(await refusal('Bearer 53')).toEqual(refused)
})
