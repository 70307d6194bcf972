// The formats of characters that this page knows, by the names of their attributes.

export const INLINE = ['bold', 'italic', 'underline', 'strikethrough'] as const;
export type Inline = (typeof INLINE)[number];
