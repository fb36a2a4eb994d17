/** Labels of a pod as far as selectors see them: with its namespace. */
export interface PodLabels {
  readonly id: number
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
}
