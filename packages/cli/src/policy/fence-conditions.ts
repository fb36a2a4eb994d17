import type { LabelSelector, Taint } from '@kerf/apis'
import { selectorRequirements } from '@kerf/apis'
import type { PoolAccess } from '@kerf/engine'

/** This file contains the CEL expressions of a fence. The API server evaluates them for each pod that is created or changed. */

const text = (value: string): string => JSON.stringify(value)
const list = (values: readonly string[]): string => `[${values.map(text).join(', ')}]`

const LABELS = 'namespaceObject.metadata.labels'

const selects = (selector: LabelSelector): readonly string[] =>
  selectorRequirements(selector).map(({ key, operator, values }) => {
    const exists = `(has(${LABELS}) && ${text(key)} in ${LABELS})`
    const isIn = `(${exists} && ${LABELS}[${text(key)}] in ${list(values)})`
    switch (operator) {
      case 'In':
        return isIn
      case 'NotIn':
        return `!${isIn}`
      case 'DoesNotExist':
        return `!${exists}`
      default:
        return exists
    }
  })

/** Returns an expression that is true for pods that may use the NodePool. */
export const mayUseExpression = ({ namespaceSelector, schedulerNames }: PoolAccess): string => {
  const conditions = [
    ...(namespaceSelector === undefined ? [] : selects(namespaceSelector)),
    ...(schedulerNames === undefined
      ? []
      : [
          `(has(object.spec.schedulerName) ? object.spec.schedulerName : "default-scheduler") in ${list(schedulerNames)}`,
        ]),
  ]
  return conditions.length === 0 ? 'true' : conditions.join(' && ')
}

/**
 * Returns an expression that is true for pods that tolerate all of these taints. Operators other than Equal and Exists compare numbers. The
 * expression treats a toleration with one of these operators as if it tolerated every value.
 */
export const toleratesExpression = (taints: readonly Taint[]): string =>
  taints
    .map(({ key, value = '', effect }) => {
      const isEffect = `(!has(t.effect) || t.effect in ["", ${text(effect)}])`
      const isKey = `(has(t.key) && t.key == ${text(key)})`
      const isAnyKey = '(!has(t.key) || t.key == "")'
      const operator = '(has(t.operator) && t.operator != "" ? t.operator : "Equal")'
      const isValue = `(has(t.value) ? t.value : "") == ${text(value)}`
      const matches = `(${operator} == "Exists" ? ${isAnyKey} || ${isKey} : ${isKey} && (${operator} != "Equal" || ${isValue}))`
      return `(has(object.spec.tolerations) && object.spec.tolerations.exists(t, ${isEffect} && ${matches}))`
    })
    .join(' && ')

/** Returns an expression that is true for pods whose node selector or node affinity contains one of these labels. */
export const selectsExpression = (labels: readonly (readonly [key: string, value: string])[]): string => {
  const names = (requirement: string): string =>
    labels
      .map(
        ([key, value]) =>
          `(${requirement}.key == ${text(key)} && ${requirement}.operator == "In" && ${text(value)} in ${requirement}.values)`,
      )
      .join(' || ')
  const term = (terms: string): string =>
    `${terms}.exists(t, has(t.matchExpressions) && t.matchExpressions.exists(e, ${names('e')}))`
  const affinity = 'object.spec.affinity.nodeAffinity'
  const hasAffinity = 'has(object.spec.affinity) && has(object.spec.affinity.nodeAffinity)'
  const required = `${affinity}.requiredDuringSchedulingIgnoredDuringExecution`
  const preferred = `${affinity}.preferredDuringSchedulingIgnoredDuringExecution`
  return [
    ...labels.map(
      ([key, value]) =>
        `(has(object.spec.nodeSelector) && ${text(key)} in object.spec.nodeSelector && object.spec.nodeSelector[${text(key)}] == ${text(value)})`,
    ),
    `(${hasAffinity} && has(${required}) && ${term(`${required}.nodeSelectorTerms`)})`,
    `(${hasAffinity} && has(${preferred}) && ${preferred}.exists(p, has(p.preference.matchExpressions) && p.preference.matchExpressions.exists(e, ${names('e')})))`,
  ].join(' || ')
}
