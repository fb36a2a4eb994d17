import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Milliseconds } from '@kerf/apis'

/** The number of requests that changed objects, for each `verb resource/subresource`. */
export type AutoscalerWrites = Readonly<Record<string, number>>

interface AuditedRequest {
  readonly verb: string
  readonly objectRef?: { readonly resource?: string; readonly subresource?: string }
  /** The time at which the API server received the request. */
  readonly requestReceivedTimestamp: string
}

const policy = (user: string): string =>
  JSON.stringify({
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [
      { level: 'None', verbs: ['get', 'list', 'watch'] },
      { level: 'Metadata', users: [user] },
      { level: 'None' },
    ],
  })

/** Returns flags for an API server that make it log each request with which the user changes an object. */
export const auditFlags = (user: string, directory: string, logFile: string): readonly string[] => {
  const policyFile = join(directory, 'audit-policy.json')
  writeFileSync(logFile, '')
  writeFileSync(policyFile, policy(user))
  return [`--audit-policy-file=${policyFile}`, `--audit-log-path=${logFile}`]
}

/** Counts the requests since the given time. Ignores the last line if it is incomplete. */
export const writesSince = (logFile: string, since: Milliseconds): AutoscalerWrites => {
  const counts: Record<string, number> = {}
  for (const line of readFileSync(logFile, 'utf8').split('\n')) {
    if (!line.endsWith('}')) continue
    const { verb, objectRef, requestReceivedTimestamp } = JSON.parse(line) as AuditedRequest
    if (Date.parse(requestReceivedTimestamp) < since) continue
    const subresource = objectRef?.subresource === undefined ? '' : `/${objectRef.subresource}`
    const key = `${verb} ${objectRef?.resource ?? ''}${subresource}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}
