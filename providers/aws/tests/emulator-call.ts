/**
 * Returns the credential of a service. The emulator recognizes the service by the scope of the signature, and does not verify the
 * signature.
 */
export const credential = (service: string): string =>
  `AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=x`

/** Returns the body. @throws Error with the request and the response if the emulator refuses */
const accepted = async (what: string, answer: Response): Promise<string> => {
  const body = await answer.text()
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${body}`)
  return body
}

const VERSIONS = { ec2: '2016-11-15', iam: '2010-05-08', sqs: '2012-11-05' } as const

/** Calls a service that takes forms and responds in XML. Returns the XML. */
export const callForm = async (
  endpoint: string,
  service: keyof typeof VERSIONS,
  fields: Readonly<Record<string, string>>,
): Promise<string> =>
  await accepted(
    `${fields['Action']} ${JSON.stringify(fields)}`,
    await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: credential(service) },
      body: new URLSearchParams({ Version: VERSIONS[service], ...fields }),
    }),
  )

/** Calls EKS. `path` is the part after `/clusters`. */
export const callEks = async (
  endpoint: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<string> =>
  await accepted(
    `${method} ${path}`,
    await fetch(`${endpoint}/clusters${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: credential('eks') },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
