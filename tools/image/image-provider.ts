/** The default provider of the image and the chart, the same as in upstream Karpenter. */
export const IMAGE_PROVIDER = 'aws'
