import { expect, test } from 'vitest'
import { ApiError } from '../kube-client/api-error.ts'
import { explainRefusal } from './refused-credentials.ts'

const SERVER = { server: 'https://k8s.example:6443', origin: 'context dev of ~/.kube/config' }
const ANONYMOUS = 'nodes is forbidden: User "system:anonymous" cannot list resource "nodes"'

const refused = (code: number, message: string): ApiError => new ApiError({ code, reason: 'Refused', message })

test('a 401 names the server and the context', () => {
  const error = refused(401, 'Unauthorized')
  const explained = explainRefusal(error, SERVER, true)
  expect([explained.code, explained.reason, explained.message]).toEqual([
    401,
    'Refused',
    expect.stringContaining(
      'the API server https://k8s.example:6443 does not accept the credentials of context dev of ~/.kube/config',
    ),
  ])
  expect(explained.cause).toMatchObject({ code: 'Unauthorized', cause: error })
})

test('a 403 to a request without credentials says that the context has none', () => {
  const explained = explainRefusal(refused(403, ANONYMOUS), SERVER, false)
  expect(explained).toMatchObject({ code: 403, isAnonymous: true, cause: { code: 'NoCredentials' } })
  expect(explained.message).toContain(`context dev of ~/.kube/config has no credentials: ${ANONYMOUS}`)
})

test.each([
  ['a 403 to a request with credentials', refused(403, ANONYMOUS), true],
  ['a 403 that does not concern anonymous users', refused(403, 'nodes is forbidden: User "ada" cannot list'), false],
  ['a 404', refused(404, ANONYMOUS), false],
])('%s stays unchanged', (_what, error, hasCredentials) => {
  expect(explainRefusal(error, SERVER, hasCredentials)).toBe(error)
})
