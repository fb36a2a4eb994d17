/** The labels and the namespace of a pod, for matching selectors. */
export interface PodLabels {
  readonly id: number
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
}
