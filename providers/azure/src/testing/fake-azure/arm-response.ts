import type { HttpResponse } from '@kerf/provider-kit'

/** A refusal of Azure in the common error format (learn.microsoft.com, "Azure REST API guidelines", errors). */
export class ArmError extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/**
 * A refusal of AKS, whose body has no `error` object around it. The fake of karpenter-provider-azure 352646f
 * (pkg/fake/aksmachinesapi.go) writes refusals of machines in this format, and the SDK for Go reads both formats.
 */
export class AksError extends ArmError {}

export interface ArmResponse {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export const toHttpResponse = ({ status, body, headers = {} }: ArmResponse): HttpResponse => ({
  status,
  headers: { ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }), ...headers },
  text: body === undefined ? '' : JSON.stringify(body),
})

export const errorResponse = (error: ArmError): ArmResponse => {
  const { status, code, message, headers } = error
  const content = { code, message }
  return { status, headers, body: error instanceof AksError ? content : { error: content } }
}

export const notFound = (type: string, name: string, group: string): ArmError =>
  new ArmError(
    404,
    'ResourceNotFound',
    `The Resource '${type}/${name}' under resource group '${group}' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix`,
  )
