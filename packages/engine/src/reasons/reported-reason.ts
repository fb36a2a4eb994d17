import type { Pod } from '@kerf/apis'
import { setOwnValue } from '@kerf/apis'
import { type Reason, type ReasonCode, reasonFromData } from './reason.ts'
import { reasonCatalogue } from './reason-catalogue.ts'
import type { ReasonDetail, ReasonRow } from './reason-row.ts'
import { podTexts, type ReportedText, readText, reportText } from './reported-text.ts'

/**
 * A reason as shown to readers without permission to read the pod. It contains amounts, and details of NodePools, nodes and instance types.
 */
export interface ReportedReason {
  readonly code: ReasonCode
  /** A NodePool, a node, the cluster, or `pod`. */
  readonly subject: string
  readonly detail: ReasonDetail
  /** Details that come from the pod, in a form that only readers of the pod can restore. A list has one text per entry. */
  readonly own?: Readonly<Record<string, ReportedText | readonly ReportedText[]>>
}

const PUBLIC_SUBJECT = /^(nodepool|node|nodeclaim)\/|^cluster$|^$/

const reportDetail = (
  value: ReasonDetail[string],
  words: readonly string[],
): ReportedText | readonly ReportedText[] | undefined => {
  if (typeof value !== 'object') return reportText(String(value), words)
  const texts = value.map((each) => reportText(each, words))
  return texts.every((each) => each !== undefined) ? texts : undefined
}

/**
 * Returns a reason without details of its pod. `pod` is `undefined` if the pod no longer exists. In that case, details that come from the
 * pod are dropped.
 */
export const reportReason = ({ code, subject, detail }: Reason, pod: Pod | undefined): ReportedReason => {
  const { publicDetails }: ReasonRow = reasonCatalogue[code]
  const words = pod === undefined ? [] : podTexts(pod)
  const reported: Record<string, ReasonDetail[string]> = {}
  const own: Record<string, ReportedText | readonly ReportedText[]> = {}
  for (const [name, value] of Object.entries(detail)) {
    if (publicDetails.includes(name)) setOwnValue(reported, name, value)
    else if (pod !== undefined) {
      const text = reportDetail(value, words)
      if (text !== undefined) setOwnValue(own, name, text)
    }
  }
  return {
    code,
    subject: PUBLIC_SUBJECT.test(subject) ? subject : 'pod',
    detail: reported,
    ...(Object.keys(own).length === 0 ? {} : { own }),
  }
}

const isList = (text: ReportedText | readonly ReportedText[]): text is readonly ReportedText[] => Array.isArray(text[0])

/** Returns the full reason for a reader who may read the pod. Without the pod, it returns only the public part. */
export const readReason = ({ code, subject, detail, own = {} }: ReportedReason, pod: Pod | undefined): Reason => {
  if (pod === undefined) return reasonFromData({ code, subject, detail })
  const words = podTexts(pod)
  const full: Record<string, ReasonDetail[string]> = { ...detail }
  for (const [name, text] of Object.entries(own)) {
    const value = isList(text) ? text.map((each) => readText(each, words) ?? '') : readText(text, words)
    if (value !== undefined) setOwnValue(full, name, value)
  }
  const { name = '', namespace = 'default' } = pod.metadata
  return reasonFromData({ code, subject: subject === 'pod' ? `pod/${namespace}/${name}` : subject, detail: full })
}
