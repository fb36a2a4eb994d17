import type { LocalizedText } from './localized-text.ts'

/** A column in the dashboard's list of node classes, in addition to name, cluster, status and age. */
export interface NodeClassColumn {
  /** The id of the column in the user's stored selection of columns. */
  readonly id: string
  readonly title: LocalizedText
  /** Paths to the value, as lists of field names. The dashboard uses the first path that leads to a value. */
  readonly paths: readonly (readonly [field: 'spec' | 'status', ...fields: string[]])[]
  /** For lists: fields of an item. For each item, the dashboard shows the first field that has a value. */
  readonly itemFields?: readonly string[]
  /** Whether the value is a path, such as a resource ID, of which only the part after the last slash is shown. */
  readonly isPath?: boolean
  /**
   * Whether the value is a label selector with `matchLabels` and `matchExpressions`. If true, it is shown in the format of `kubectl
   * --selector`.
   */
  readonly isLabelSelector?: boolean
}

/** Column titles that several clouds use. */
export const columnTitles = {
  imageFamily: { en: 'Image family', uk: 'Сімейство образів', zh: '镜像系列' },
  images: { en: 'Images', uk: 'Образи', zh: '镜像' },
  region: { en: 'Region', uk: 'Регіон', zh: '区域' },
  subnets: { en: 'Subnets', uk: 'Підмережі', zh: '子网' },
  template: { en: 'Template', uk: 'Шаблон', zh: '模板' },
  zones: { en: 'Zones', uk: 'Зони', zh: '可用区' },
} as const satisfies Readonly<Record<string, LocalizedText>>
