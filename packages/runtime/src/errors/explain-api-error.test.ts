import { expect, test } from 'vitest'
import { ApiError } from '../kube-client/api-error.ts'
import { explainApiError } from './explain-api-error.ts'

const refused = (code: number, reason: string, systemCode?: string): ApiError =>
  new ApiError(
    { code, reason, message: 'no' },
    systemCode === undefined ? {} : { cause: Object.assign(new Error('broken'), { code: systemCode }) },
  )

test.each([
  [401, 'Unauthorized', undefined, 'Unauthorized'],
  [403, 'Forbidden', undefined, 'Forbidden'],
  [404, 'NotFound', undefined, undefined],
  [0, 'Unreachable', 'ECONNREFUSED', 'ApiServerUnreachable'],
  [0, 'Unreachable', 'CERT_HAS_EXPIRED', 'ApiServerCertificate'],
  // The server has rejected the client certificate.
  [0, 'Unreachable', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'Unauthorized'],
  [0, 'Unreachable', 'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'Unauthorized'],
])('%i %s, %s: %s', (code, reason, systemCode, expected) => {
  expect(explainApiError(refused(code, reason, systemCode))?.code).toBe(expected)
})
